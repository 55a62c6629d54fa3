import { DAY_MS } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { GEOTAB_SOURCE, PHONE_SOURCE, PLAYER_SOURCE } from './minute-rules.ts'
import type { TrackerFix } from './records.ts'
import { at, drive, openFleet, saidBy } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addTruck, addShift, addSource, addTracker, hear, shiftTrack, dayTrack, remeasureAll } = await openFleet(world)
const [osmand, json] = [await addSource('osmand'), await addSource('json')]

const MINUTE = 60_000
const EIGHT = at('08:00:00')

async function addTrackedTruck() {
  const truck = await addTruck()
  for (const source of [osmand, json]) await addTracker(source, truck.uid, truck.device)
  return truck
}
type TestTruck = Awaited<ReturnType<typeof addTrackedTruck>>

/** What a source says of a truck: trackers name it by their id, the phone and the player are known by its uid. */
const say = (source: string, truck: TestTruck, fixes: readonly Omit<TrackerFix, 'truck'>[], now = at('23:59:59')) => {
  const areUids = source === PHONE_SOURCE || source === PLAYER_SOURCE
  const named = fixes.map((fix) => ({ ...fix, truck: areUids ? truck.uid : truck.device }))
  if (source === GEOTAB_SOURCE) return hear({ fixes: named.map((fix) => ({ ...fix, accuracyM: null })) }, now)
  return hear({ source, fixes: named, ...(areUids && { areUids: true as const }) }, now)
}

const placesOf = async (truck: TestTruck) =>
  (
    await sql<{ at: number; latitude: number }>`
      select (extract(epoch from at) * 1000)::float8 as at, latitude from position
       where truck_uid = ${truck.uid} order by at`.execute(db)
  ).rows
const waitingOf = async (truck: TestTruck) =>
  (await db.selectFrom('position_spare').select('source_uid').where('truck_uid', '=', truck.uid).execute()).map(
    ({ source_uid }) => source_uid,
  )

const fixAt = (ms: number, latitude: number, accuracyM: number | null = null) => ({
  at: ms,
  latitude,
  longitude: -96.8,
  speedKmh: 30,
  accuracyM,
})

describe('in each minute one source counts', () => {
  test('a tracker moves the phone out, and the phone counts where the tracker is silent', async () => {
    const truck = await addTrackedTruck()
    await say(PHONE_SOURCE, truck, [fixAt(EIGHT, 32.1), fixAt(EIGHT + 30_000, 32.2), fixAt(EIGHT + MINUTE, 32.3)])
    expect((await placesOf(truck)).map(({ latitude }) => latitude)).toEqual([32.1, 32.2, 32.3])
    await say(osmand, truck, [fixAt(EIGHT + 5000, 32.9)])
    expect((await placesOf(truck)).map(({ latitude }) => latitude)).toEqual([32.9, 32.3])
    // A phone never counts in a minute in which a tracker has spoken.
    expect(await waitingOf(truck)).toEqual([])
    await say(PHONE_SOURCE, truck, [fixAt(EIGHT + 40_000, 32.4)])
    expect((await placesOf(truck)).map(({ latitude }) => latitude)).toEqual([32.9, 32.3])
  })

  test('the newest place of a truck is that of the source that counts', async () => {
    const truck = await addTrackedTruck()
    await say(PLAYER_SOURCE, truck, [fixAt(EIGHT + 50_000, 32.1)])
    await say(osmand, truck, [fixAt(EIGHT + 5000, 32.9)])
    const now = await db.selectFrom('truck_now').selectAll().where('truck_uid', '=', truck.uid).executeTakeFirst()
    expect([now?.latitude, Date.parse(now?.at ?? '')]).toEqual([32.9, EIGHT + 5000])
  })

  test('what was moved out comes back when its source turns out to be the better one', async () => {
    const truck = await addTrackedTruck()
    await say(osmand, truck, [fixAt(EIGHT, 32.1, 50)])
    await say(json, truck, [fixAt(EIGHT + 1000, 32.2, 20)])
    expect((await placesOf(truck)).map(({ latitude }) => latitude)).toEqual([32.2])
    await say(osmand, truck, [fixAt(EIGHT + 2000, 32.3, 5)])
    expect((await placesOf(truck)).map(({ latitude }) => latitude)).toEqual([32.1, 32.3])
    await say(GEOTAB_SOURCE, truck, [fixAt(EIGHT + 3000, 32.4)])
    expect((await placesOf(truck)).map(({ latitude }) => latitude)).toEqual([32.4])
    expect(await db.selectFrom('position_minute').selectAll().where('truck_uid', '=', truck.uid).execute()).toEqual([])
    expect((await waitingOf(truck)).toSorted()).toEqual([osmand, osmand, json].toSorted())
  })

  test('two trackers of one truck add no miles, and plays are graded again where another one counts', async () => {
    const [one, other] = [await addTrackedTruck(), await addTrackedTruck()]
    const way = drive(EIGHT, at('09:00:00'))
    const shifts = [await addShift(one.uid, '08:00', '09:00'), await addShift(other.uid, '08:00', '09:00')]
    await say(GEOTAB_SOURCE, one, way)
    await say(json, other, way)
    await say(
      GEOTAB_SOURCE,
      other,
      way.filter((_, index) => index % 4 !== 1),
    )
    await say(osmand, other, saidBy('', way))
    await remeasureAll(at('23:59:59'))
    const [first, second] = [await shiftTrack(shifts[0] ?? ''), await shiftTrack(shifts[1] ?? '')]
    expect(first?.gps_metres).toBeGreaterThan(50_000)
    expect(Math.abs((second?.gps_metres ?? 0) - (first?.gps_metres ?? 0))).toBeLessThan(10)
    const notes = await db.selectFrom('evidence_change').selectAll().where('truck_uid', '=', other.uid).execute()
    expect(notes.length).toBeGreaterThanOrEqual(3)
  })

  test('a fix of an id that no truck has is not stored', async () => {
    const { trucks, fresh } = await hear({ source: osmand, fixes: [{ ...fixAt(EIGHT, 32), truck: 'unknown' }] })
    expect([trucks.size, fresh.size]).toEqual([0, 0])
  })

  test('a replay of old fixes changes nothing', async () => {
    const truck = await addTrackedTruck()
    const fixes = drive(EIGHT, at('08:20:00'))
    await say(osmand, truck, fixes)
    const before = [await placesOf(truck), await dayTrack(truck.uid)]
    const { fresh } = await say(osmand, truck, fixes.toReversed())
    expect(fresh.size).toBe(0)
    expect([await placesOf(truck), await dayTrack(truck.uid)]).toEqual(before)
  })
})

describe('whatever the order, the mix and the batches', () => {
  const sources = [GEOTAB_SOURCE, osmand, json, PHONE_SOURCE, PLAYER_SOURCE]
  const said = fc.record({
    source: fc.constantFrom(...sources),
    at: fc.integer({ min: 0, max: 40 * 6 }).map((step) => at('23:40:00') + step * 10_000),
    latitude: fc.integer({ min: 0, max: 400 }).map((step) => 32.78 + step / 2000),
    longitude: fc.constant(-96.8),
    speedKmh: fc.option(fc.integer({ min: 0, max: 110 })),
    accuracyM: fc.constantFrom(null, 5, 20, 80, 500),
  })
  const NOW = at('12:00:00') + DAY_MS * 2

  async function run(all: readonly (typeof said extends fc.Arbitrary<infer T> ? T : never)[], length: () => number) {
    const truck = await addTrackedTruck()
    const shift = await addShift(truck.uid, '23:00', '01:00')
    for (let from = 0; from < all.length;) {
      const part = all.slice(from, from + length())
      from += part.length
      for (const source of sources) {
        const fixes = part.filter((each) => each.source === source)
        if (fixes.length > 0) await say(source, truck, fixes, NOW)
      }
    }
    await remeasureAll(NOW)
    const { rows } = await sql<{ all: string }>`
      select json_build_array(
        (select json_agg(to_jsonb(p) - 'truck_uid' - 'received_at' order by at) from position p where truck_uid = ${truck.uid}),
        (select json_agg(to_jsonb(m) - 'truck_uid' order by at) from position_minute m where truck_uid = ${truck.uid}),
        (select json_agg(to_jsonb(s) - 'truck_uid' - 'received_at' - 'accuracy' order by at, source_uid)
           from position_spare s where truck_uid = ${truck.uid}),
        (select json_agg(to_jsonb(t) - 'truck_uid' - 'computed_at' order by day) from truck_day_track t where truck_uid = ${truck.uid}),
        (select json_agg(to_jsonb(t) - 'truck_uid' - 'shift_uid' - 'computed_at') from shift_track t where truck_uid = ${truck.uid}),
        (select to_jsonb(n) - 'truck_uid' - 'updated_at' from truck_now n where truck_uid = ${truck.uid})
      )::text as all`.execute(db)
    return rows[0]?.all.replaceAll(shift, 'shift')
  }

  test('the same fixes of five sources give the same track, miles and coverage to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 5, maxLength: 60 }),
        fc.infiniteStream(fc.nat()),
        async (given, chance) => {
          const next = () => chance.next().value as number
          const inOrder = await run(
            given.toSorted((one, other) => one.at - other.at),
            () => 1000,
          )
          const shuffled = [...given, ...given.slice(0, 10)]
            .map((each) => ({ each, key: next() }))
            .toSorted((one, other) => one.key - other.key)
            .map(({ each }) => each)
          expect(await run(shuffled, () => (next() % 9) + 1)).toBe(inOrder)
        },
      ),
      { numRuns: 40 },
    )
  }, 240_000)
})
