import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import type { Polling } from './sources.ts'
import { trackOf } from './miles.ts'
import { startPoller } from './poller.ts'
import { drive, openFleet } from './test-fleet.ts'
import { startGeotab } from './test-geotab.ts'

const world = await openWorld()
const { db, url } = world
const { addTruck } = await openFleet(world)

let geotab: Awaited<ReturnType<typeof startGeotab>>
let truck: Awaited<ReturnType<typeof addTruck>>
const running: { stop(): Promise<void> }[] = []
const nodes: ChildProcess[] = []
const errors: string[] = []

beforeEach(async () => {
  geotab = await startGeotab()
  truck = await addTruck()
  await sql`delete from geotab_cursor`.execute(db)
})
afterEach(async () => {
  for (const poller of running.splice(0)) await poller.stop()
  for (const node of nodes.splice(0)) await kill(node)
  await geotab.close()
  errors.length = 0
})

function start(options: Partial<Polling> = {}) {
  const log = (error: unknown) => errors.push((error as Error).message)
  const poller = startPoller({ db, account: geotab.account, everyMs: 100, log, ...options })
  running.push(poller)
  return poller
}

/** Another node: a process of its own, which can die. */
async function startNode(pageSize: number): Promise<ChildProcess> {
  const given = [url, JSON.stringify(geotab.account), String(pageSize)]
  const node = fork(testProgram('test-poller'), given, { execArgv: [] })
  nodes.push(node)
  await once(node, 'message')
  return node
}

async function kill(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return
  const ended = once(node, 'exit')
  node.kill('SIGKILL')
  await ended
}

/** A drive that began half an hour ago. */
const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000
const logRecord = ({ at, latitude, longitude, speedKmh }: ReturnType<typeof drive>[number], device: unknown) => ({
  id: `b${at}`,
  dateTime: new Date(at).toISOString(),
  device,
  latitude,
  longitude,
  speed: speedKmh,
})
const sayDrive = (fixes: ReturnType<typeof drive>, device = truck.device) =>
  geotab.say('LogRecord', ...fixes.map((fix, index) => logRecord(fix, index % 2 ? device : { id: device })))

const positions = async (uid = truck.uid) =>
  (await db.selectFrom('position').select('at').where('truck_uid', '=', uid).orderBy('at').execute()).map(({ at }) =>
    Date.parse(at),
  )
const cursor = async (entity = 'LogRecord') =>
  (await db.selectFrom('geotab_cursor').select('version').where('entity', '=', entity).executeTakeFirst())?.version
const within = (timeout: number) => ({ timeout, interval: 50 })

describe('a source', () => {
  test('that was never read begins an hour back; later it goes on where it stopped', async () => {
    const old = drive(minutesAgo(120), minutesAgo(119))
    const fixes = drive(minutesAgo(30), minutesAgo(29))
    sayDrive([...old, ...fixes.slice(0, 3)])
    geotab.say('StatusData', {
      id: 'a1',
      device: { id: truck.device },
      diagnostic: { id: 'DiagnosticOdometerId' },
      dateTime: new Date(minutesAgo(20)).toISOString(),
      data: 123_456,
    })
    geotab.stand(truck.device, {
      ...logRecord(fixes[1] as (typeof fixes)[number], truck.device),
      bearing: 0,
      isDriving: true,
    })
    const first = start()
    const news = () => db.selectFrom('truck_now').selectAll().where('truck_uid', '=', truck.uid).executeTakeFirst()
    await vi.waitFor(async () => expect(await positions()).toHaveLength(3), within(10_000))
    await vi.waitFor(async () => expect(await news()).toMatchObject({ odometer_m: 123_456 }), within(10_000))
    await first.stop()
    expect(await cursor()).toBe(geotab.version('LogRecord'))
    expect(Object.keys(geotab.asked('DeviceStatusInfo')[0]?.params ?? {}).toSorted()).toEqual([
      'credentials',
      'resultsLimit',
      'typeName',
    ])
    // What happened while no one asked; late ones are older than what was read, even than where it began.
    sayDrive([...fixes.slice(3), ...old])
    geotab.say('DeviceStatusInfo', {
      ...logRecord(fixes.at(-1) as (typeof fixes)[number], { id: truck.device }),
      bearing: 271,
      isDriving: true,
    })
    start()
    await vi.waitFor(
      async () => expect(await positions()).toEqual([...old, ...fixes].map(({ at }) => at)),
      within(10_000),
    )
    await vi.waitFor(async () => expect(await news()).toMatchObject({ heading: 271, is_driving: true }), within(10_000))
    expect(errors).toEqual([])
  })

  test('whose page is exactly full is asked again at once, but not too fast; nothing is left out', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(29)).slice(0, 6)
    sayDrive(fixes)
    // MyGeotab counts what has arrived, however long it took.
    geotab.delayNext('LogRecord', 300)
    start({ pageSize: 3, everyMs: 60_000 })
    await vi.waitFor(() => expect(geotab.asked('LogRecord')).toHaveLength(3), within(10_000))
    const asked = geotab.asked('LogRecord')
    expect(asked.map(({ params }) => params.fromVersion)).toEqual([undefined, '0000000000000003', '0000000000000006'])
    for (const [index, { at }] of asked.slice(1).entries()) {
      expect(at - (asked[index]?.at ?? 0)).toBeGreaterThanOrEqual(1000)
    }
    expect(await positions()).toEqual(fixes.map(({ at }) => at))
  })

  test('with a page of exactly 50,000 loses nothing after it', async () => {
    const from = minutesAgo(40)
    const more = await Promise.all(Array.from({ length: 24 }, () => addTruck()))
    for (const { device } of [truck, ...more]) sayDrive(drive(from, from + 1999 * 1000, 1000), device)
    sayDrive(drive(minutesAgo(1), minutesAgo(1)))
    expect(geotab.version('LogRecord')).toBe((50_001).toString(16).padStart(16, '0'))
    start()
    await vi.waitFor(async () => expect(await cursor()).toBe(geotab.version('LogRecord')), within(60_000))
    expect(await positions()).toHaveLength(2001)
    for (const { uid } of more) expect(await positions(uid)).toHaveLength(2000)
  }, 90_000)

  test('survives every fault of the server without a gap and without a double', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(20))
    const heard = (count: number) =>
      vi.waitFor(
        async () => expect(await positions()).toEqual(fixes.slice(0, count).map(({ at }) => at)),
        within(20_000),
      )
    sayDrive(fixes.slice(0, 5))
    start({ pageSize: 2 })
    await heard(5)
    let count = 5
    for (const fault of [{ retryAfter: 2 }, 'DbUnavailableException', 'html', 'cut', 500] as const) {
      const before = geotab.asked('LogRecord').length
      geotab.failNext('LogRecord', fault)
      await vi.waitFor(() => expect(geotab.asked('LogRecord').length).toBeGreaterThan(before), within(10_000))
      sayDrive(fixes.slice(count, (count += 3)))
      await heard(count)
    }
    geotab.endSessions()
    sayDrive(fixes.slice(count, (count += 4)))
    await heard(count)
    expect(geotab.asked('Authenticate')).toHaveLength(2)
    const calls = geotab.asked('LogRecord')
    const limited = calls.findIndex(({ at }, index) => index > 0 && at - (calls[index - 1]?.at ?? 0) >= 2000)
    expect(limited).toBeGreaterThan(0)
    expect(errors.some((error) => error.includes('OverLimitException'))).toBe(true)
  }, 90_000)

  test('that was called wrongly is left alone; the others go on', async () => {
    sayDrive(drive(minutesAgo(30), minutesAgo(29)))
    geotab.failNext('StatusData', 'ArgumentException')
    start()
    await vi.waitFor(async () => expect(await positions()).toHaveLength(7), within(10_000))
    await vi.waitFor(() => expect(geotab.asked('LogRecord').length).toBeGreaterThan(1), within(10_000))
    expect(geotab.asked('StatusData')).toHaveLength(1)
    expect(errors).toEqual([expect.stringContaining('ArgumentException')])
  })

  test('with a wrong password is not asked again, and the reason is said', async () => {
    await geotab.close()
    geotab = await startGeotab({ password: 'another' })
    start()
    await vi.waitFor(() => expect(errors).toHaveLength(1), within(10_000))
    await sleep(3000)
    expect(errors).toEqual(['MyGeotab rejected the sign-in of user us to database fleet.'])
    expect(geotab.asked('Authenticate')).toHaveLength(1)
  })
})

describe('what was read and not stored', () => {
  test('is read again after a crash at the commit', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(29))
    sayDrive(fixes)
    await sql`
      create function crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`.execute(db)
    await sql`
      create constraint trigger crash after insert or update on geotab_cursor deferrable initially deferred
      for each row execute function crash()`.execute(db)
    start()
    await vi.waitFor(() => expect(errors).toContain('crash'), within(10_000))
    expect(await positions()).toEqual([])
    expect(await cursor()).toBeUndefined()
    await sql`drop trigger crash on geotab_cursor`.execute(db)
    await vi.waitFor(async () => expect(await positions()).toEqual(fixes.map(({ at }) => at)), within(20_000))
  }, 60_000)

  test('is read once more, and counts once, when the cursor is an old one', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(10))
    sayDrive(fixes)
    await start().stop()
    const first = start()
    const day = () =>
      db.selectFrom('truck_day_track').select(['metres', 'tracks']).where('truck_uid', '=', truck.uid).execute()
    await vi.waitFor(async () => expect(await positions()).toHaveLength(fixes.length), within(10_000))
    await first.stop()
    const before = await day()
    expect(before.reduce((sum, { metres }) => sum + metres, 0)).toBeGreaterThan(trackOf(fixes).meters * 0.9)
    await sql`update geotab_cursor set version = '0000000000000003' where entity = 'LogRecord'`.execute(db)
    start()
    await vi.waitFor(async () => expect(await cursor()).toBe(geotab.version('LogRecord')), within(10_000))
    expect(await positions()).toEqual(fixes.map(({ at }) => at))
    expect(await day()).toEqual(before)
  })
})

describe('of several nodes', () => {
  test('one polls; when it is killed in mid-stream, another goes on within 15 seconds and nothing is lost', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(20))
    sayDrive(fixes)
    const node = await startNode(4)
    await vi.waitFor(async () => expect((await positions()).length).toBeGreaterThanOrEqual(8), within(20_000))
    start({ pageSize: 7 })
    await sleep(3000)
    expect(geotab.asked('Authenticate')).toHaveLength(1)
    await kill(node)
    const killedAt = Date.now()
    await vi.waitFor(() => expect(geotab.asked('Authenticate')).toHaveLength(2), within(15_000))
    expect(Date.now() - killedAt).toBeLessThan(15_000)
    await vi.waitFor(async () => expect(await positions()).toEqual(fixes.map(({ at }) => at)), within(20_000))
    const versions = geotab.asked('LogRecord').map(({ params }) => params.fromVersion ?? '')
    expect(versions).toEqual(versions.toSorted())
  }, 90_000)

  test('the one whose lock is lost stops and waits for its turn; a stopped one gives it away', async () => {
    const one = start()
    await vi.waitFor(() => expect(geotab.asked('Authenticate')).toHaveLength(1), within(10_000))
    const other = start()
    // Other tests have databases of their own on the same server.
    const holders = sql`from pg_locks join pg_database d on d.oid = database and d.datname = current_database()
       where locktype = 'advisory' and granted and objid = hashtext('poll geotab')::bigint & 4294967295`
    await sql`select pg_terminate_backend(pid) ${holders}`.execute(db)
    await vi.waitFor(() => expect(geotab.asked('Authenticate')).toHaveLength(2), within(15_000))
    await Promise.all([one.stop(), other.stop()])
    const { rows } = await sql`select ${holders}`.execute(db)
    expect(rows).toEqual([])
    const calls = geotab.calls.length
    await sleep(1200)
    expect(geotab.calls).toHaveLength(calls)
  })
})
