import { API_BASE, type Endpoint, errorBody, modules, rowAccessFor, trucks } from '@roadshow/contract'
import type { InjectOptions } from 'fastify'
import { CompiledQuery, sql } from 'kysely'
import { expect } from 'vitest'
import { prepared } from '../db/connection.ts'
import type { World } from '@roadshow/test-kit/world'

/** Sends malformed calls and reports whether they changed the database. */
export async function rawCalls({ app, addProgram, call, db, people }: World) {
  const truck = (await call(trucks.create, { body: { number: 'T-0', kind: 'led', state: 'active' } })).body.data
  const program = await addProgram()
  const named = (_: string, parameter: string) => (parameter === 'programUid' ? program : truck).uid

  // A session records its last use every minute, which is not an effect of a call.
  await db
    .updateTable('session')
    .set({ seen_at: new Date(Date.now() + 3_600_000) })
    .execute()

  // Calls of the driver's phone are made by drivers only.
  const tokenFor = ({ access }: Endpoint) =>
    (rowAccessFor({ role: 'admin', modules }, access) ? people.admin : people.driver).token

  let caller = 0
  /** Each call from an address of its own, so that none is refused for being one too many. */
  const send = (endpoint: Endpoint, more: Partial<InjectOptions> = {}, query = '') =>
    app.inject({
      method: endpoint.method,
      url: `${API_BASE}/${endpoint.path.replace(/\{(\w+)\}/g, named)}${query}`,
      remoteAddress: `10.0.${Math.floor(++caller / 250)}.${caller % 250}`,
      ...more,
      headers: { authorization: `Bearer ${tokenFor(endpoint)}`, ...more.headers },
    })

  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not in ('throttle', 'audit_log') order by 1`.execute(db)

  // Every row with the transaction that wrote it: whatever is added, changed or removed shows.
  const sums = tables.map(
    ({ name }) => `select '${name}', count(*) as rows, sum(t.xmin::text::bigint) as written from ${name} t`,
  )
  const statement = CompiledQuery.raw(prepared(`${sums.join(' union all ')} order by 1`))

  /** Everything the database holds, but for the counters of attempts and the log of them. */
  const everything = async (): Promise<string> => JSON.stringify((await db.executeQuery(statement)).rows)

  return { send, everything }
}

export type Response = Awaited<ReturnType<Awaited<ReturnType<typeof rawCalls>>['send']>>

export function expectRefusal(response: Response, status: number | number[], what: string) {
  expect([status].flat(), `${what}: ${response.statusCode} ${response.body.slice(0, 200)}`).toContain(
    response.statusCode,
  )
  const { error } = errorBody.parse(response.json())
  expect(error, what).toMatch(/^[A-Z].*\.$/)
}
