import { setTimeout as sleep } from 'node:timers/promises'
import { sources } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { outboundRequests } from '../../../platform/http/outbound.ts'
import { ExternalServices } from '../../../platform/runtime/external-services.ts'
import { databaseSignals } from '../../../platform/db/signals.ts'
import { drive, openFleet } from '../../telemetry/test-fleet.ts'
import { polledSources } from './polled-sources.ts'
import { samsaraClient } from './samsara-client.ts'
import { startSamsara } from './samsara-poller.ts'
import { startSamsaraServer } from './test-samsara.ts'
import { seal } from '../../../platform/runtime/secret-box.ts'

const world = await openWorld()
const { db, url, call, people } = world
const { addTruck, addSource, addTracker } = await openFleet(world)

let samsara: Awaited<ReturnType<typeof startSamsaraServer>>
let truck: Awaited<ReturnType<typeof addTruck>>
let source: string
let vehicle = 1000
const running: { stop(): Promise<void> }[] = []
const problems: string[] = []
const outbound = outboundRequests({ privateNetworks: ['127.0.0.1'], timeoutMs: 5000 })
const within = (timeout: number) => ({ timeout, interval: 30 })

beforeEach(async () => {
  samsara = await startSamsaraServer({ pageSize: 3 })
  truck = await addTruck()
  source = await addSource('samsara')
  await addTracker(source, truck.uid, String(++vehicle))
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
  await samsara.close()
  problems.length = 0
})

const service = {
  answered: () => {},
  failed: (error: unknown) => void problems.push((error as Error).message),
  forget: () => {},
}

function start(token = samsara.token) {
  const client = samsaraClient({ server: samsara.url, token }, outbound)
  const log = (error: unknown) => void problems.push(`log: ${(error as Error).message}`)
  const poller = startSamsara({ db, sourceUid: source, client, everyMs: 50, refusedMs: 100, service, log })
  running.push(poller)
  return poller
}

const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000
const readings = (fixes: ReturnType<typeof drive>) =>
  fixes.map(({ at, latitude, longitude, speedKmh }) => ({
    vehicle: String(vehicle),
    gps: {
      time: new Date(at).toISOString(),
      latitude,
      longitude,
      headingDegrees: 90,
      speedMilesPerHour: (speedKmh ?? 0) / 1.609344,
    },
  }))
const positions = async () =>
  (await db.selectFrom('position').select('at').where('truck_uid', '=', truck.uid).orderBy('at').execute()).map(
    ({ at }) => Date.parse(at),
  )
const timesOf = (fixes: ReturnType<typeof drive>) => fixes.map(({ at }) => at)

describe('the feed of Samsara', () => {
  test(
    'begins with the newest positions, then brings every reading once, over pages and pauses',
    { timeout: 120_000 },
    async () => {
      const before = drive(minutesAgo(40), minutesAgo(39))
      const fixes = drive(minutesAgo(30), minutesAgo(28))
      samsara.say(...readings(before))
      const first = start()
      await vi.waitFor(async () => expect(await positions()).toEqual(timesOf(before).slice(-1)), within(40_000))
      await first.stop()
      // While no one asks, more than three pages come together.
      samsara.say(...readings(fixes), ...readings(fixes.slice(0, 2)))
      start()
      const expected = [...timesOf(before).slice(-1), ...timesOf(fixes)]
      await vi.waitFor(async () => expect(await positions()).toEqual(expected), within(40_000))
      expect(problems).toEqual([])
      const [stored] = await db
        .selectFrom('position')
        .select('speed_kmh')
        .where('truck_uid', '=', truck.uid)
        .orderBy('at', 'desc')
        .execute()
      expect(stored?.speed_kmh).toBe(Math.round((fixes.at(-1)?.speedKmh ?? 0) * 10) / 10)
    },
  )

  test('waits as long as Samsara asks, and keeps its place over faults of every kind', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(29))
    samsara.say(...readings(fixes.slice(0, 1)))
    start()
    await vi.waitFor(async () => expect(await positions()).toHaveLength(1), within(40_000))
    samsara.failNext(
      { status: 429, retryAfter: 1 },
      'cut',
      'short',
      { status: 503 },
      { status: 200, body: '{"data":[' },
    )
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(0), within(40_000))
    const failedAt = samsara.calls.length
    samsara.say(...readings(fixes.slice(1)))
    await vi.waitFor(async () => expect(await positions()).toEqual(timesOf(fixes)), within(40_000))
    const [limited, next] = samsara.calls.slice(failedAt - 1)
    expect((next?.at ?? 0) - (limited?.at ?? 0)).toBeGreaterThanOrEqual(990)
    expect(next?.after).toBe(limited?.after)
    expect(problems).toHaveLength(5)
    expect(problems[0]).toBe('Samsara limits the calls of this account.')
    expect(problems[4]).toBe('Samsara sent an answer that could not be read to its end.')
    expect(problems.filter((each) => each.startsWith('log: '))).toEqual([])
  }, 120_000)

  test('starts over with the newest positions when its cursor has expired, and says so', async () => {
    const fixes = drive(minutesAgo(30), minutesAgo(29))
    samsara.say(...readings(fixes.slice(0, 1)))
    start()
    await vi.waitFor(async () => expect(await positions()).toHaveLength(1), within(40_000))
    samsara.expireCursors()
    await vi.waitFor(() => expect(problems).toHaveLength(1), within(40_000))
    expect(problems[0]).toMatch(/^Samsara no longer knew how far its feed was read/)
    samsara.say(...readings(fixes.slice(1)))
    await vi.waitFor(async () => expect((await positions()).at(-1)).toBe(fixes.at(-1)?.at), within(40_000))
    expect(problems).toHaveLength(1)
  }, 120_000)

  test('a rejected token says so, and is tried again without hurry', async () => {
    start('another token')
    await vi.waitFor(() => expect(problems[0]).toBe('Samsara rejected the API token.'), within(40_000))
    samsara.accept('another token')
    samsara.say(...readings(drive(minutesAgo(10), minutesAgo(9)).slice(0, 1)))
    await vi.waitFor(async () => expect(await positions()).toHaveLength(1), within(40_000))
    samsara.failNext({ status: 403, body: '{"message":"Missing permission"}' })
    await vi.waitFor(
      () => expect(problems.at(-1)).toContain('"Read Vehicle Statistics". Missing permission'),
      within(40_000),
    )
  }, 120_000)

  test('is polled by one of two nodes, and vehicles that are no trucks are listed', { timeout: 60_000 }, async () => {
    start()
    start()
    samsara.say(...readings(drive(minutesAgo(10), minutesAgo(9))))
    samsara.say({
      vehicle: '777',
      gps: { time: new Date(minutesAgo(5)).toISOString(), latitude: 32.8, longitude: -96.8 },
    })
    await vi.waitFor(async () => expect((await positions()).length).toBeGreaterThan(0), within(40_000))
    const count = samsara.calls.length
    await sleep(500)
    // Two pollers would ask twice as often.
    expect(samsara.calls.length - count).toBeLessThan(16)
    const unknown = await db
      .selectFrom('unknown_tracker')
      .select('external_id')
      .where('source_uid', '=', source)
      .execute()
    expect(unknown).toEqual([{ external_id: '777' }])
  })
})

describe('an account', () => {
  const supervise = (services = new ExternalServices()) => {
    const log = (error: unknown) => void problems.push((error as Error).message)
    const env = { brandName: 'R', publicUrl: 'http://localhost', privateNetworks: ['127.0.0.1'] }
    const pace = { lookEveryMs: 100, askEveryMs: 50 }
    const service = polledSources({ db, signals: databaseSignals(db, url), services, env, log }, pace)
    running.push(service)
    return services
  }
  const sourceNow = async (uid: string) => {
    const { body } = await world.call(sources.list, {})
    return body.data.find((each) => each.uid === uid)
  }
  const saved = async (token = samsara.token) => {
    await db
      .insertInto('position_account')
      .values({
        source_uid: source,
        server: samsara.url,
        secret: seal(Buffer.from(token), `position account ${source}`),
      })
      .execute()
  }

  test('is asked as soon as it is there, notes how it does, and is asked no more once it is removed', async () => {
    samsara.say(...readings(drive(minutesAgo(10), minutesAgo(9))))
    const services = supervise()
    await saved()
    await vi.waitFor(async () => expect(await positions()).toHaveLength(1), within(40_000))
    await vi.waitFor(async () => expect((await sourceNow(source))?.lastSeenAt).not.toBeNull(), within(40_000))
    samsara.accept('renewed')
    await vi.waitFor(
      async () => expect((await sourceNow(source))?.lastError).toBe('Samsara rejected the API token.'),
      within(40_000),
    )
    expect(services.degraded).toMatchObject([{ service: 'samsara', label: 'Samsara' }])
    const gone = await call(sources.removeAccount, { params: { uid: source } })
    expect(gone.body.data).toMatchObject({ state: 'unset', account: null })
    await vi.waitFor(() => expect(services.degraded).toEqual([]), within(40_000))
    const count = samsara.calls.length
    await sleep(500)
    expect(samsara.calls).toHaveLength(count)
  }, 120_000)

  test('that was sealed with another key says what to do', { timeout: 60_000 }, async () => {
    await db
      .insertInto('position_account')
      .values({
        source_uid: source,
        server: samsara.url,
        secret: Buffer.from('0123456789012345678901234567890123456789'),
      })
      .execute()
    supervise()
    await vi.waitFor(
      async () => expect((await sourceNow(source))?.lastError).toMatch(/Enter it again\.$/),
      within(40_000),
    )
    expect(samsara.calls).toEqual([])
    const { body } = await call(sources.test, { params: { uid: source } })
    expect(body.data).toMatchObject({ isWorking: false })
  })

  test('is entered and changed by admins alone; its secret never comes back, nor goes to another server', async () => {
    const given = { name: `Our fleet ${vehicle}`, kind: 'samsara', secret: 'samsara_api_first' } as const
    const refused = await call(sources.addPolled, { body: given }, { token: people.sales.token })
    expect(refused.status).toBe(403)
    const added = await call(sources.addPolled, { body: given })
    const { uid } = added.body.data
    expect(added.body.data).toMatchObject({ account: { server: 'https://api.samsara.com', isSetByServer: false } })
    expect(JSON.stringify([added.body, (await call(sources.list, {})).body])).not.toContain('samsara_api_first')
    const row = await db
      .selectFrom('position_account')
      .selectAll()
      .where('source_uid', '=', uid)
      .executeTakeFirstOrThrow()
    expect(row.secret.includes('samsara_api_first')).toBe(false)
    const save = (body: { server: string; secret?: string }) => call(sources.saveAccount, { params: { uid }, body })
    expect((await save({ server: 'api.eu.samsara.com' })).status).toBe(400)
    expect((await save({ server: 'http://10.0.0.1', secret: 'x' })).status).toBe(400)
    expect((await save({ server: 'api.samsara.com' })).status).toBe(200)
    const moved = await save({ server: 'api.eu.samsara.com', secret: 'samsara_api_second' })
    expect(moved.body.data.account).toMatchObject({ server: 'https://api.eu.samsara.com' })
  })

  test('of MyGeotab needs its database and user', async () => {
    const uid = '00000000-0000-0000-0000-000000000000'
    const save = (body: object) =>
      call(sources.saveAccount, { params: { uid }, body: { server: 'my.geotab.com', ...body } })
    expect((await save({ secret: 'x' })).status).toBe(400)
    const saved = await save({ secret: 'x', database: 'acme', user: 'ops@acme.example' })
    expect(saved.body.data).toMatchObject({ state: 'active', account: { database: 'acme', user: 'ops@acme.example' } })
    expect((await save({ database: 'other', user: 'ops@acme.example' })).status).toBe(400)
    await call(sources.removeAccount, { params: { uid } })
    expect(await sourceNow(uid)).toMatchObject({ state: 'unset', account: null })
  })

  test('sources that send by themselves have none, and their test says what came last', async () => {
    const uid = await addSource('osmand')
    const save = await call(sources.saveAccount, { params: { uid }, body: { server: 'x.example', secret: 'x' } })
    expect(save.status).toBe(400)
    const tested = await call(sources.test, { params: { uid } })
    expect(tested.body.data).toEqual({ isWorking: false, text: 'No position has come from OsmAnd protocol yet.' })
  })
})
