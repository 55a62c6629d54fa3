import { sql } from 'kysely'
import { expect, test, afterAll } from 'vitest'
import { defaultSettings } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { connect, inTransaction } from '../db/connection.ts'
import { keptFor, type SweepStep, type TableLifetimes } from './lifetime.ts'
import { tableSweep } from './sweep.ts'

const { app, db, url } = await openWorld()
const other = connect(url, { max: 2 })
afterAll(() => other.close())

const lifetimes: TableLifetimes = {
  web_log: keptFor('1 day', 'at', { bound: '' }),
  throttle: keptFor('1 day', 'last_at', { bound: '' }),
}
const also = (step: SweepStep): TableLifetimes => ({ shift: { kept: '', bound: '', also: step } })

const contextOf = ({ on = db, signal = new AbortController().signal } = {}) => ({
  db: on,
  signal,
  blobs: app.blobs,
  env: { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' },
  now: Date.now(),
  settings: defaultSettings,
  log: () => {},
})
const sweep = (tables: TableLifetimes, given: Parameters<typeof contextOf>[0] = {}) =>
  tableSweep(tables)(contextOf(given))

const addOld = (count: number) =>
  sql`insert into web_log (error_origin, at)
      select 'old', now() - make_interval(days => 2, secs => n) from generate_series(1, ${count}::int) n`.execute(db)
async function oldOnes() {
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*)::int as count, round(extract(epoch from now() - min(at)))::int as seconds from web_log`.execute(db)
  return rows[0] ?? { count: 0, seconds: 0 }
}

test('rows are deleted in pieces, oldest first; a node that stops leaves the rest to the next run', async () => {
  await addOld(12_000)
  await sql`insert into web_log (error_origin) values ('new')`.execute(db)
  const stopping = new AbortController()
  const stop = also(async () => {
    stopping.abort()
    return true
  })
  await sweep({ ...lifetimes, ...stop }, { signal: stopping.signal })
  const { count, seconds } = await oldOnes()
  expect(count).toBe(7001)
  expect(seconds).toBeLessThan(2 * 86_400 + 7010)
  await Promise.all([sweep(lifetimes), sweep(lifetimes, { on: other.db })])
  expect(await db.selectFrom('web_log').select('error_origin').execute()).toEqual([{ error_origin: 'new' }])
})

test('a backlog of one table holds up no other, and neither does a failure', async () => {
  await addOld(11_000)
  const left: number[] = []
  const failing: SweepStep = async () => {
    left.push((await oldOnes()).count)
    if (left.length === 1) return true
    throw new Error('away')
  }
  await expect(sweep({ web_log: lifetimes.web_log, ...also(failing) } as TableLifetimes)).rejects.toThrow('away')
  expect(left).toEqual([6001, 1001])
  expect((await oldOnes()).count).toBe(1)
})

test('a run whose time is up leaves the other tables to the next one', async () => {
  const [order, stopping]: [string[], AbortController] = [[], new AbortController()]
  const slow: SweepStep = async () => {
    order.push('slow')
    stopping.abort()
    return false
  }
  const quick: SweepStep = async () => order.push('quick') < 0
  const run = tableSweep({ truck: { kept: '', bound: '', also: slow }, ...also(quick) })
  await run(contextOf({ signal: stopping.signal }))
  await run(contextOf())
  expect(order).toEqual(['slow', 'quick', 'slow'])
})

test('a row that is refreshed at the same moment stays', async () => {
  await sql`insert into throttle values ('k', 1, now(), now() - interval '3 days')`.execute(db)
  const deleting = await inTransaction(other.db, async (held) => {
    await sql`update throttle set last_at = now() where key = 'k'`.execute(held)
    return [sweep(lifetimes)]
  })
  await Promise.all(deleting)
  expect(await db.selectFrom('throttle').select('key').where('key', '=', 'k').execute()).toEqual([{ key: 'k' }])
})
