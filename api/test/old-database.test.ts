import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { adLog, DAY_MS, type Endpoint, endpoints, fleet, pops, sdReport, settings, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { fillYears } from '@roadshow/test-kit/years'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBackup } from '../src/platform/backup/make.ts'
import { restoreBackup } from '../src/platform/backup/restore.ts'
import { contentOf, emptyDatabase } from '../src/platform/backup/test-databases.ts'
import { withClient as on } from '../src/platform/db/with-client.ts'
import { Partner } from '../src/outreach/feeds/test-partner.ts'
import { listPartitions } from '../src/platform/db/partitions.ts'
import { requestsOf } from './fuzz/test-requests.ts'
import { type Dice, type Pools, valuesOf } from './fuzz/test-values.ts'
import { LockMeter, partitionsLockedBy } from './test-lock-meter.ts'
import { endpointName } from './samples.ts'

// A database at the age that the settings allow, on a PostgreSQL with stock settings: 800 days of plays, 400 of positions.

const PARALLEL = 16
/** Eight weeks touch nine, and what happened around their ends two more. */
const MOST_PARTITIONS = 11

const world = await openWorld()
const { app, call, db, people } = world
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-years-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let years: Awaited<ReturnType<typeof fillYears>>
let shift = ''
beforeAll(async () => {
  years = await on(world.url, (client) =>
    fillYears((text, values) => client.query(text, values), { playDays: 800, positionDays: 400 }),
  )
  const { rows } = await sql<{ uid: string }>`
    select uid from shift where truck_uid = ${years.truck} order by starts_at limit 1`.execute(db)
  shift = rows[0]?.uid ?? ''
  const pop = (await call(pops.get, { params: { uid: years.program } })).body.data
  await call(pops.publish, { body: { uid: pop.uid, version: pop.version, note: '' } })
}, 120_000)

test('the server has the locks and connections of a stock PostgreSQL', async () => {
  const { rows } = await sql`
    select current_setting('max_locks_per_transaction') as locks, current_setting('max_connections') as connections`.execute(
    db,
  )
  expect(rows).toEqual([{ locks: '64', connections: '100' }])
  expect((await listPartitions(db, 'play')).length).toBeGreaterThanOrEqual(115)
  expect((await listPartitions(db, 'position')).length).toBeGreaterThanOrEqual(58)
})

const fixedDice = (hasOptionalFields: boolean): Dice => ({
  next: () => 0,
  below: (count) => Math.min(1, count - 1),
  chance: (likelihood) => (hasOptionalFields ? likelihood >= 0.4 : likelihood > 0.5),
  pick: (from) => from[0] as never,
})

const gets = endpoints.filter(({ method }) => method === 'GET')

/** The uids of what the years are about come first, so calls are about these. */
async function poolsOfYears(): Promise<Pools> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'uid' and data_type = 'uuid'`.execute(db)
  const found = new Map<string, string[]>()
  for (const { name } of rows) {
    const uids = await sql<{ uid: string }>`select uid from ${sql.table(name)} order by uid limit 5`.execute(db)
    found.set(
      name,
      uids.rows.map(({ uid }) => uid),
    )
  }
  const { program, market, truck, driver, device, artworkSet, addressSet, address, client } = years
  const own = { client_program: program, market, truck, user_account: driver, device, shift, client }
  const sets = { artwork_set: artworkSet, address_set: addressSet, sd_address: address }
  for (const [name, uid] of Object.entries({ ...own, ...sets })) found.set(name, [uid])
  return found
}

/** Every GET of the contract about the years, once with all optional filters and once with none. */
async function requestsOfYears() {
  const pools = await poolsOfYears()
  const { program, market, truck, address, firstDay: from, lastDay: to } = years
  const about: Record<string, string> = { program, market, truck, address, from, to, date: to }
  const needed = ({ query }: Endpoint) =>
    Object.fromEntries(Object.entries(about).filter(([name]) => query && name in query.shape))
  return [false, true].flatMap((hasOptionalFields) => {
    const dice = fixedDice(hasOptionalFields)
    const request = requestsOf({ dice, values: valuesOf(dice, () => pools), samples: {}, needed })
    return gets.map((endpoint) => ({ name: endpointName(endpoint), sent: request(endpoint, 'valid') }))
  })
}

const authorization = `Bearer ${people.admin.token}`

async function statusOf({ sent }: Awaited<ReturnType<typeof requestsOfYears>>[number]): Promise<number> {
  return (await app.inject({ ...sent, headers: { ...sent.headers, authorization } })).statusCode
}

describe('every call that reads', () => {
  test('locks few partitions, whatever the age of the database', async () => {
    const meter = new LockMeter()
    meter.start()
    for (const request of await requestsOfYears()) await statusOf(request)
    // Few plays of a long time.
    const { program, firstDay: from, lastDay: to } = years
    for (const page of ['1', '2']) {
      for (const ofProgram of [{ program }, {}]) {
        const query = { ...ofProgram, from, to, grade: 'conflict', page, pageSize: '20' } as const
        const { data, total } = (await call(adLog.list, { query })).body
        expect([data.length, total]).toEqual([page === '1' ? 20 : 7, 27])
      }
    }
    const hours = { from, to, fromHour: '9', toHour: '10', pageSize: '200' }
    expect((await call(adLog.list, { query: hours })).body.data).toHaveLength(200)
    meter.stop()
    expect(meter.mostInTransaction).toBeGreaterThan(0)
    expect(meter.mostInTransaction).toBeLessThanOrEqual(MOST_PARTITIONS)
    expect(meter.readings.size).toBeGreaterThan(10)
    await on(world.url, async (client) => {
      for (const reading of meter.readings.values()) {
        // A prepared statement may get a plan for any values, which locks every partition.
        expect(reading.isNamed, reading.text).toBe(false)
        expect(await partitionsLockedBy(client, reading), reading.text).toBeLessThanOrEqual(MOST_PARTITIONS)
      }
    })
  }, 120_000)

  test('answers while fifteen others are made at the same time', async () => {
    const waiting = await requestsOfYears()
    const failed: string[] = []
    let answered = 0
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const status = await statusOf(next)
        if (status >= 500) failed.push(`${status} ${next.sent.url}`)
        if (status === 200) answered++
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    expect(failed).toEqual([])
    expect(answered).toBeGreaterThan(gets.length)
  }, 120_000)

  test('of Overview, shift details, ad log, POP and SD report is answered sixteen times at once', async () => {
    const { program, market, address, firstDay: from, lastDay: to } = years
    const ofProgram = { program, market, from, to }
    const calls: (() => Promise<{ status: number }>)[] = [
      () => call(fleet.shifts, { query: { day: to } }),
      () => call(fleet.figures, {}),
      () => call(shifts.details, { query: { from, to, pageSize: '200' } }),
      () => call(adLog.list, { query: ofProgram }),
      () => call(adLog.list, { query: { ...ofProgram, page: '96', pageSize: '200' } }),
      () => call(adLog.list, { query: { ...ofProgram, grade: 'conflict', pageSize: '200' } }),
      () => call(adLog.list, { query: {} }),
      () => call(adLog.list, { query: { from, to, fromHour: '9', toHour: '10', page: '5', pageSize: '200' } }),
      () => call(adLog.summary, { query: ofProgram }),
      () => call(pops.list, { query: {} }),
      () => call(pops.preview, { params: { uid: program } }),
      () => call(sdReport.list, { query: ofProgram }),
      () => call(sdReport.summary, { query: ofProgram }),
      () => call(sdReport.approaches, { query: { ...ofProgram, address, pageSize: '200' } }),
    ]
    for (const each of calls) {
      const answers = await Promise.all(Array.from({ length: PARALLEL }, each))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: PARALLEL }, () => 200))
    }
  }, 120_000)
})

test('a partner reads the plays of all years in the order of their arrival, each once', async () => {
  const partner = new Partner(world, years.program, { limit: 5000 })
  await partner.poll()
  const { total } = (await call(adLog.list, { query: { program: years.program, pageSize: '1' } })).body
  expect(partner.counted).toHaveLength(total)
  expect(partner.lines).toHaveLength(total)
  expect(await partner.poll()).toEqual([])
}, 120_000)

test('a backup of years is restored with equal rows', async () => {
  const to = path.join(folder, 'backup')
  await makeBackup({ url: world.url, blobFolder: world.folder, to, say: () => {} })
  const url = await emptyDatabase(world.url)
  await restoreBackup({
    from: to,
    blobFolder: path.join(folder, 'blobs'),
    openDatabase: async () => url,
    say: () => {},
  })
  const restored = await contentOf(url)
  expect(restored).toEqual(await contentOf(world.url))
  expect(Object.keys(restored.content).length).toBeGreaterThan(115 + 58)
  await on(world.url, (client) => client.query(`drop database ${new URL(url).pathname.slice(1)}`))
}, 120_000)

describe('a shorter retention', () => {
  const play = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select sum(pg_total_relation_size(name::regclass))::float8 as bytes from partitions_of('play')`.execute(db)
    return rows[0]?.bytes ?? 0
  }

  test('frees the disk, and the plays of a shift survive it', async () => {
    const before = await play()
    const counted = async () =>
      (await call(shifts.details, { query: { from: years.firstDay, to: years.firstDay } })).body.data[0]?.plays
    expect(await counted()).toEqual({ count: 24, verified: 23, conflict: 1 })
    const { version, values } = (await call(settings.get, {})).body.data
    await call(settings.update, { body: { ...values, keepPlaysDays: 90, version } })
    await world.sweep()
    expect((await listPartitions(db, 'play')).length).toBeLessThanOrEqual(15)
    expect(await play()).toBeLessThan(before / 7)
    expect(await counted()).toEqual({ count: 24, verified: 23, conflict: 1 })
  })

  test('ends list and total of the ad log at the same moment, although a week is dropped as a whole', async () => {
    const { program, market, firstDay: from, lastDay: to } = years
    const summary = (await call(adLog.summary, { query: { program, market, from, to } })).body.data
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    expect(summary.keptSince).toBe(new Date(today - 90 * DAY_MS).toISOString().replace('.000Z', 'Z'))
    const query = { program, market, from, to, sort: 'startedAt', pageSize: '1' } as const
    const page = (await call(adLog.list, { query })).body
    const rows = await db
      .selectFrom('play')
      .where('started_at', '>=', summary.keptSince)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(page.total).toBe(rows.count)
    expect(page.data[0]?.startedAt.slice(0, 10)).toBe(summary.keptSince?.slice(0, 10))
  })
})
