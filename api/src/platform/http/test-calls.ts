import { API_BASE, type Endpoint, errorBody, modules, rowAccessFor, trucks } from '@roadshow/contract'
import type { InjectOptions } from 'fastify'
import { CompiledQuery, sql } from 'kysely'
import { expect, vi } from 'vitest'
import { type Db, prepared } from '../db/connection.ts'
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

  await noteWrites(db)
  const statement = CompiledQuery.raw(prepared('select n, name from noted_write order by n desc limit 1'))

  /** The last row that was written, but for the counters of attempts and the log of them. */
  /** The last write of calls: what a search stores that an earlier call began is awaited. */
  async function lastWrite(): Promise<string> {
    const searching = db.selectFrom('fill_proposal').select('uid').where('state', '=', 'solving')
    await vi.waitFor(async () => expect(await searching.execute()).toEqual([]), { timeout: 20_000 })
    return JSON.stringify((await db.executeQuery(statement)).rows)
  }

  return { send, lastWrite }
}

/**
 * Notes every row that is added, changed or removed from now on. A note is part of the transaction that writes the row: what
 * is rolled back leaves none. Reading the last note is much faster than reading all tables.
 */
async function noteWrites(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not in ('throttle', 'audit_log') order by 1`.execute(db)
  await sql`create table noted_write (n bigint generated always as identity primary key, name text not null)`.execute(
    db,
  )
  await sql`
    create function note_write() returns trigger language plpgsql as $$
    begin
      insert into noted_write (name) values (tg_table_name);
      return null;
    end $$`.execute(db)
  for (const { name } of tables)
    await sql`create trigger note_write after insert or update or delete on ${sql.table(name)}
                for each row execute function note_write()`.execute(db)
}

export type Response = Awaited<ReturnType<Awaited<ReturnType<typeof rawCalls>>['send']>>

export function expectRefusal(response: Response, status: number | number[], what: string) {
  expect([status].flat(), `${what}: ${response.statusCode} ${response.body.slice(0, 200)}`).toContain(
    response.statusCode,
  )
  const { error } = errorBody.parse(response.json())
  expect(error, what).toMatch(/^[A-Z].*\.$/)
}
