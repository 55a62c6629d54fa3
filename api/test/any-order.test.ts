import { bookedUnits, contract, DAY_MS, delivery, type Play, pops, truckSides } from '@roadshow/contract'
import { seeded, shuffle } from '@roadshow/test-kit/random'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { storeDriverEvents } from '../src/live/driver-events/index.ts'
import { DALLAS, fleetOf, northOf } from '../src/live/players/test-fleet.ts'
import { accountOfDevice, playTotals, storePlays } from '../src/live/plays/index.ts'
import { regradeSince } from '../src/live/plays/regrade-job.ts'
import { parquetOf } from '../src/platform/parquet/index.ts'
import { storeTelemetry } from '../src/live/telemetry/index.ts'
import { remeasureShifts } from '../src/live/telemetry/remeasure.ts'
import { deliveriesOf } from '../src/proof/delivery/index.ts'

// The same events of the road in any order, repeated, late by up to 30 days and in other pieces give the same numbers.

const world = await openWorld()
const { call, db } = world
const fleet = fleetOf(world)

const MINUTE = 60_000
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS

const SHIFT_DAYS = [29, 12, 3]
const dayAgo = (daysAgo: number) => new Date(TODAY - daysAgo * DAY_MS).toISOString().slice(0, 10)
const shiftStart = (daysAgo: number) => TODAY - daysAgo * DAY_MS + 20 * 60 * MINUTE

interface Setting {
  truckUid: string
  /** The truck that a shift was planned for first. */
  spareTruckUid: string
  device: { uid: string; truckUid: string }
  app: { uid: string; truckUid: string }
  driverUid: string
  geotabId: string
  programUid: string
  marketUid: string
  art: { uid: string; sha256: string }
}

async function addDriver(): Promise<string> {
  const { uid } = await world.addUser('driver')
  await db
    .insertInto('pay_rate')
    .values({
      user_uid: uid,
      valid_from: '2020-01-01',
      half_day_cents: 9000,
      eight_hours_cents: 18_000,
      twelve_hours_cents: 26_000,
    })
    .execute()
  return uid
}

async function addSetting(name: string): Promise<Setting> {
  const geotabId = `geotab ${name}`
  const truckUid = await fleet.addTruck({ geotab_device_id: geotabId })
  const marketUid = await fleet.addMarket()
  // The shifts of this test are planned by the clocks of UTC.
  await db.updateTable('market').set({ zone: 'UTC' }).where('uid', '=', marketUid).execute()
  const days = { startsOn: dayAgo(30), endsOn: dayAgo(-30) }
  const { uid: programUid } = await world.addProgram({
    startsOn: dayAgo(400),
    endsOn: dayAgo(-400),
    markets: [{ marketUid }],
    bookedLines: bookedUnits.map((unit) => ({ marketUid, unit, amount: 100, ...days })),
  })
  return {
    truckUid,
    spareTruckUid: await fleet.addTruck(),
    geotabId,
    programUid,
    device: await fleet.addDevice(truckUid),
    app: await fleet.addDevice(truckUid, 'driver'),
    driverUid: await addDriver(),
    marketUid,
    art: await fleet.addArtwork(programUid),
  }
}

/** What happened on the road, the same in each setting: plays, the track, and the shifts with their real hours. */
function eventsOf(seed: number) {
  const random = seeded(seed)
  const plays = SHIFT_DAYS.flatMap((daysAgo) =>
    Array.from({ length: 60 }, () => ({
      // Some before and after the shift, and after midnight.
      startedAt: new Date(shiftStart(daysAgo) + (random(9 * 60) - 30) * MINUTE + random(MINUTE)).toISOString(),
      side: truckSides[random(3)] ?? 'rear',
      durationMs: random(20) === 0 ? 700_000 : 2000 + random(30_000),
      isOtherFile: random(25) === 0,
      place: random(3) === 0 ? northOf(DALLAS, random(3000)) : null,
    })),
  )
  const fixes = SHIFT_DAYS.flatMap((daysAgo) =>
    Array.from({ length: 100 }, (_, n) => ({
      at: shiftStart(daysAgo) + n * 5 * MINUTE - random(MINUTE),
      ...northOf(DALLAS, random(24) === 0 ? 25_000 : random(400)),
      speedKmh: 20,
    })),
  )
  const readings = SHIFT_DAYS.flatMap((daysAgo) =>
    Array.from({ length: 30 }, (_, n) => ({
      at: shiftStart(daysAgo) + (n - 2) * 18 * MINUTE + random(MINUTE),
      metres: 1_000_000 * (40 - daysAgo) + n * 2500,
    })),
  )
  return { plays, fixes, readings }
}

const playOf = ({ art }: Setting, plays: ReturnType<typeof eventsOf>['plays']): Play[] =>
  plays.map(({ isOtherFile, ...play }, index) => ({
    ...play,
    playId: `p${index}`,
    sequence: index + 1 + (index > 20 ? 2 : 0),
    artworkSetUid: art.uid,
    sha256: isOtherFile ? 'f'.repeat(64) : art.sha256,
  }))

/** A shift at night, in the zone of the market. */
const addShift = (setting: Setting, daysAgo: number) =>
  fleet.addShift({
    truckUid: setting.truckUid,
    programUid: setting.programUid,
    marketUid: setting.marketUid,
    driver_uid: setting.driverUid,
    pay_option: 'eightHours',
    from: shiftStart(daysAgo),
    to: shiftStart(daysAgo) + 8 * 60 * MINUTE,
    artwork_set_uid: setting.art.uid,
  })

/** What the driver's app reports: a start, a stop too early, and the real one. */
const reportsOf = (shiftUid: string, daysAgo: number, [start, stop]: readonly [number, number]) =>
  (
    [
      ['start', start],
      ['stop', 100],
      ['stop', stop],
    ] as const
  ).map(([kind, minutes], index) => ({
    eventId: `${daysAgo} ${index}`,
    shiftUid,
    kind,
    at: new Date(shiftStart(daysAgo) + minutes * MINUTE).toISOString(),
  }))

function splitAtRandom<T>(items: readonly T[], most: number, random: (below: number) => number): T[][] {
  const left = [...items]
  const parts: T[][] = []
  while (left.length > 0) parts.push(left.splice(0, 1 + random(most)))
  return parts
}

/** Everything arrives in an order, twice in part, in pieces of its own, and is graded and measured in between. */
async function live(setting: Setting, seed: number, order: number) {
  const random = seeded(order)
  const { plays, fixes, readings } = eventsOf(seed)
  let version = 0
  const storePage = (page: Partial<Pick<Parameters<typeof storeTelemetry>[1], 'fixes' | 'readings'>>) => () =>
    storeTelemetry(db, {
      cursor: { entity: setting.geotabId, from: version === 0 ? undefined : String(version), to: String(++version) },
      now: Date.now(),
      fixes: [],
      statuses: [],
      readings: [],
      ...page,
    })
  const send = (batch: Play[]) => () => storePlays(db, setting.device, batch)
  const report = (events: object[]) => () => storeDriverEvents(db, { ...setting.app, address: '127.0.0.1' }, events)
  const tracked = <T extends object>(records: readonly T[]) =>
    records.map((record) => ({ truck: setting.geotabId, ...record }))
  const played = playOf(setting, plays)
  // Two shifts were planned before; the third is entered later, and gets another truck.
  const [first, second] = [await addShift(setting, 29), await addShift(setting, 3)]
  const grade = async () => {
    while (await remeasureShifts(db));
    await regradeSince({ db, parquet: parquetOf(world.app) }, '-infinity')
  }
  // One starts early and is stopped before its end; the other starts late and runs over.
  const events = [...reportsOf(first.uid, 29, [-10, 7 * 60]), ...reportsOf(second.uid, 3, [35, 8 * 60 + 25])]
  const planAndSwap = async () => {
    const { uid } = await addShift({ ...setting, truckUid: setting.spareTruckUid }, 12)
    await grade()
    await db.updateTable('shift').set({ truck_uid: setting.truckUid }).where('uid', '=', uid).execute()
  }
  const steps: (() => Promise<unknown>)[] = shuffle(
    [
      ...splitAtRandom(shuffle(played, random), 90, random).map(send),
      ...splitAtRandom(shuffle(played, random).slice(0, 40), 40, random).map(send),
      ...splitAtRandom(tracked(shuffle(fixes, random)), 200, random).map((page) => storePage({ fixes: page })),
      storePage({ fixes: tracked(shuffle(fixes, random).slice(0, 30)) }),
      ...splitAtRandom(tracked(shuffle(readings, random)), 60, random).map((page) => storePage({ readings: page })),
      ...splitAtRandom(shuffle([...events, ...events.slice(0, 2)], random), 3, random).map(report),
      planAndSwap,
      grade,
    ],
    random,
  )
  for (const step of steps) await step()
  await grade()
}

/** Everything that is shown about the plays of a setting, without uids. */
async function resultOf({ truckUid, programUid, driverUid, device }: Setting) {
  const days = { from: dayAgo(30), to: dayAgo(0) }
  const { rows: plays } = await sql`
    select p.play_id, p.grade, p.reason, p.day, (s.starts_at at time zone 'UTC') as shift
      from play p left join shift s on s.uid = p.shift_uid where p.truck_uid = ${truckUid} order by length(p.play_id), p.play_id`.execute(
    db,
  )
  const byMarket = await playTotals(db, 'all', { by: 'market', program: programUid })
  const { groups, others } = await playTotals(db, 'all', { by: 'day', program: [programUid] })
  const ordered = (rows: readonly object[]) =>
    rows
      .map((row) =>
        JSON.stringify(row, (key, value: unknown) =>
          /market|truck|number|uid|driver|name|program/i.test(key) && value !== null ? 0 : value,
        ),
      )
      .toSorted()
  const miles = (await call(contract.fleet.truckDays, { query: { truck: truckUid, ...days, pageSize: '200' } })).body
    .data
  const { rows: shifts } = await sql`
    select s.status, s.started_at, s.stopped_at, k.metres, k.source, k.gps_metres, k.odometer_metres, k.estimated_metres
      from shift s left join shift_track k on k.shift_uid = s.uid
     where s.truck_uid = ${truckUid} order by s.starts_at`.execute(db)
  const { rows: holds } = await sql<{ starts: string; during: string }>`
    select s.starts_at as starts, h.during::text from truck_hold h join shift s on s.uid = h.shift_uid
     where h.truck_uid = ${truckUid} order by h.during`.execute(db)
  const positions = []
  for (const { starts, during } of holds) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) from position where truck_uid = ${truckUid} and at <@ ${during}::tstzrange`.execute(db)
    positions.push({ starts, during, ...rows[0] })
  }
  const pop = (await call(pops.milesDriven, { query: { programUid } })).body.data
  const shown = (await call(delivery.program, { params: { uid: programUid } })).body.data
  const unsigned = (await deliveriesOf(db, 'all', [programUid], Date.parse(shown.asOf))).get(programUid)
  expect(unsigned).toEqual(shown)
  const pay = []
  for (const daysAgo of SHIFT_DAYS) {
    const query = { from: dayAgo(daysAgo), to: dayAgo(daysAgo), driver: driverUid }
    pay.push(...(await call(contract.payroll.list, { query })).body.data)
  }
  return {
    miles: ordered(miles),
    shifts,
    positions,
    pop: ordered([pop.total, ...pop.markets]),
    delivered: shown.lines.map(({ line, delivered, shiftsWithoutData }) => [line.unit, delivered, shiftsWithoutData]),
    pay: ordered(pay),
    plays,
    byMarket: ordered(byMarket),
    groups: ordered(groups),
    others: ordered(others),
    account: await accountOfDevice(db, device.uid),
  }
}

test.each([1, 2])(
  'any order, doubling and lateness of the same events gives the same grades, miles, totals, days and pay (%i)',
  async (seed) => {
    const results = []
    for (const order of [11, 12, 13]) {
      const setting = await addSetting(`${seed} ${order}`)
      await live(setting, seed, order)
      results.push(await resultOf(setting))
    }
    const [first, ...others] = results
    const grades = new Set(first?.plays.map((play) => (play as { grade: string }).grade))
    expect(grades).toEqual(new Set(['verified', 'unverified', 'conflict']))
    expect(first?.shifts.map((shift) => (shift as { source: string | null }).source)).not.toContain(null)
    expect(first?.pay.map((line) => (JSON.parse(line) as { cents: number }).cents).toSorted()).toEqual([
      0, 18_000, 18_000,
    ])
    for (const other of others) expect(other).toEqual(first)
    const [counted, kept] = await fleet.countedAndKept()
    expect(kept).toEqual(counted)
  },
)
