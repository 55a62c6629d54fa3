import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { DAY_MS, type TrackPoint } from '@roadshow/contract'
import { trackOf } from './miles.ts'
import { queueOldTracks, remeasureShifts, updateCoverage } from './remeasure.ts'
import { at, DAY, drive, NEXT_DAY, openFleet, saidBy } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addTruck, addShift, hear, remeasureAll, shiftTrack, dayTrack } = await openFleet(world)
const NOW = at('23:59:59')

const measured = async (shiftUid: string) => {
  const { gps_metres, odometer_metres, metres, source, estimated_metres, coverage, heard_ms } =
    (await shiftTrack(shiftUid)) ?? {}
  return { gps_metres, odometer_metres, metres, source, estimated_metres, coverage, heard_ms }
}
/** The day of a truck, in which its shift has no name of its own. */
const daily = async (truckUid: string, shiftUid: string) => {
  const { metres, unassigned_metres, tracks } = (await dayTrack(truckUid)) ?? {}
  return { metres, unassigned_metres, tracks: JSON.stringify(tracks).replaceAll(shiftUid, 'the shift') }
}

describe('the miles of a shift', () => {
  test('are those of its hours; the rest of the day belongs to no shift, and both are the whole way', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '08:00', '10:00')
    const whole = drive(at('07:00:05'), at('11:00:05'), 30_000)
    await hear({ fixes: saidBy(truck.device, whole) })
    const mine = await shiftTrack(shift)
    expect(mine).toMatchObject({ heard_ms: 2 * 3_600_000, odometer_metres: null, source: 'gps', algorithm: 2 })
    expect(mine?.coverage).toBe(1)
    expect(mine?.metres).toBe(mine?.gps_metres)
    expect(mine?.metres).toBeCloseTo(2 * 54_000, -1)
    const day = await dayTrack(truck.uid)
    expect(day?.metres).toBeCloseTo(trackOf(whole).meters, 6)
    expect((mine?.metres ?? 0) + (day?.unassigned_metres ?? 0)).toBeCloseTo(trackOf(whole).meters, 6)
  })

  test('of a night shift are those of both days, and no meter is lost at midnight', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '22:00', '02:00')
    const whole = drive(at('21:00:05'), at('03:00:05', NEXT_DAY), 30_000)
    for (const page of pages(whole, () => 77))
      await hear({ fixes: saidBy(truck.device, page) }, at('23:00:00', NEXT_DAY))
    const [mine, first, second] = [
      await shiftTrack(shift),
      await dayTrack(truck.uid),
      await dayTrack(truck.uid, NEXT_DAY),
    ]
    expect(mine?.metres).toBeCloseTo(4 * 54_000, -1)
    const unassigned = (first?.unassigned_metres ?? 0) + (second?.unassigned_metres ?? 0)
    expect((mine?.metres ?? 0) + unassigned).toBeCloseTo(trackOf(whole).meters, 6)
  })

  test('count once where a shift runs into the next: the one that was started has the truck', async () => {
    const truck = await addTruck()
    const first = await addShift(truck.uid, '08:00', '09:00')
    const second = await addShift(truck.uid, '09:00', '11:00')
    await db
      .updateTable('shift')
      .set({ status: 'completed', started_at: `${DAY}T08:00:00Z`, stopped_at: `${DAY}T09:30:00Z` })
      .where('uid', '=', first)
      .execute()
    const whole = drive(at('08:00:00'), at('11:00:00'))
    await hear({ fixes: saidBy(truck.device, whole) })
    const sum = ((await shiftTrack(first))?.metres ?? 0) + ((await shiftTrack(second))?.metres ?? 0)
    expect(sum).toBeCloseTo(trackOf(whole).meters, 6)
    expect((await shiftTrack(first))?.metres).toBeCloseTo(81_000, -2)
  })

  test('are the same whichever of two fixes of one millisecond comes first', async () => {
    const whole = drive(at('08:00:00'), at('09:00:00'), 60_000)
    const twins = whole.map((fix) => ({ ...fix, latitude: fix.latitude + 0.004 }))
    const results = []
    for (const order of [
      [...whole, ...twins],
      [...twins, ...whole],
    ]) {
      for (const isOnePage of [true, false]) {
        const truck = await addTruck()
        const shift = await addShift(truck.uid, '08:00', '10:00')
        const at2 = isOnePage ? [order] : [order.slice(0, whole.length), order.slice(whole.length)]
        for (const page of at2) await hear({ fixes: saidBy(truck.device, page) })
        const { latitude } = await db
          .selectFrom('truck_now')
          .select('latitude')
          .where('truck_uid', '=', truck.uid)
          .executeTakeFirstOrThrow()
        results.push({ latitude, shift: await measured(shift), day: await daily(truck.uid, shift) })
      }
    }
    for (const result of results) expect(result).toEqual(results[0])
    expect(results[0]?.shift.metres).toBeCloseTo(54_000, -2)
  })

  const place = fc.record({
    at: fc.integer({ min: at('07:30:00') / 1000, max: at('10:30:00') / 1000 }).map((seconds) => seconds * 1000),
    latitude: fc.integer({ min: 0, max: 2000 }).map((step) => 32.78 + step / 20_000),
    longitude: fc.integer({ min: 0, max: 2000 }).map((step) => -96.8 + step / 20_000),
    speedKmh: fc.option(fc.double({ min: 0, max: 120, noNaN: true })),
  })
  const fixes = fc.uniqueArray(place, { minLength: 1, maxLength: 60, selector: (fix: TrackPoint) => fix.at })

  test('are the same to the bit whether points come in order, late, shuffled or twice', async () => {
    await fc.assert(
      fc.asyncProperty(fixes, fc.infiniteStream(fc.nat()), async (given, chance) => {
        const inOrder = given.toSorted((one, other) => one.at - other.at)
        const next = () => chance.next().value as number
        const shuffled = [...given, ...given.slice(0, 10)]
          .map((fix) => ({ fix, key: next() }))
          .toSorted((one, other) => one.key - other.key)
          .map(({ fix }) => fix)
        const results = []
        for (const order of [[inOrder], pages(inOrder, next), pages(shuffled, next)]) {
          const truck = await addTruck()
          const shift = await addShift(truck.uid, '08:00', '10:00')
          for (const page of order) await hear({ fixes: saidBy(truck.device, page) })
          results.push({ shift: await measured(shift), day: await daily(truck.uid, shift) })
        }
        expect(results[1]).toEqual(results[0])
        expect(results[2]).toEqual(results[0])
      }),
      { numRuns: 25 },
    )
  }, 120_000)

  test('of a truck that stood all day are none, though its tracker jumped', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '08:00', '16:00')
    const parked = drive(at('08:00:00'), at('16:00:00')).map((fix, index) => ({
      ...fix,
      latitude: 32.78 + (index % 97 < 5 ? 0.0018 : 0),
      speedKmh: 0,
    }))
    for (const page of pages(parked, () => 500)) await hear({ fixes: saidBy(truck.device, page) })
    expect(await shiftTrack(shift)).toMatchObject({ metres: 0, source: 'gps' })
    expect(await dayTrack(truck.uid)).toMatchObject({ metres: 0, unassigned_metres: 0 })
  })

  const readingsOf = (device: string, all: [time: string, metres: number][]) =>
    all.map(([time, metres]) => ({ truck: device, at: at(time), metres }))

  test('are the odometer’s between the edges of the shift, whichever of both is heard first', async () => {
    const fixes = drive(at('08:00:00'), at('09:59:50'))
    const readings = (device: string) =>
      readingsOf(device, [
        ['07:59:00', 1_000_000],
        ['08:01:00', 1_001_800],
        ['09:59:00', 1_109_000],
        ['10:01:00', 1_111_000],
      ])
    const results = []
    for (const isOdometerFirst of [true, false]) {
      const truck = await addTruck()
      const shift = await addShift(truck.uid, '08:00', '10:00')
      if (isOdometerFirst) await hear({ readings: readings(truck.device) })
      await hear({ fixes: saidBy(truck.device, fixes.slice(0, 300)) })
      await hear({ fixes: saidBy(truck.device, fixes.slice(300)) })
      if (!isOdometerFirst) await hear({ readings: readings(truck.device).toReversed() })
      results.push(await measured(shift))
    }
    // From 1,000,900 at the start to 1,110,000 at the end.
    expect(results[0]).toMatchObject({ odometer_metres: 109_100, metres: 109_100, source: 'odometer' })
    expect(results[1]).toEqual(results[0])
  })

  test('are by GPS until a reading after the end arrives, however late, and more readings only make them better', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '08:00', '10:00')
    await hear({ fixes: saidBy(truck.device, drive(at('08:00:00'), at('09:59:50'))) })
    await hear({
      readings: readingsOf(truck.device, [
        ['07:30:00', 1_000_000],
        ['09:50:00', 1_101_000],
      ]),
    })
    expect(await shiftTrack(shift)).toMatchObject({ source: 'gps', odometer_metres: null })
    await hear({ readings: readingsOf(truck.device, [['10:10:00', 1_111_000]]) })
    const { odometer_metres } = (await shiftTrack(shift)) ?? {}
    expect(odometer_metres).toBeCloseTo(106_000 - (101_000 * 30) / 140, 6)
    // A reading before the start, outside of the shift's hours.
    await hear({ readings: readingsOf(truck.device, [['07:59:00', 1_000_000]]) })
    expect((await shiftTrack(shift))?.odometer_metres).toBeCloseTo(106_000 - 101_000 / 111, 6)
    expect((await shiftTrack(shift))?.source).toBe('odometer')
  })

  test('are by GPS where the readings are too far away, and where the odometer was replaced', async () => {
    const far = await addTruck()
    const farShift = await addShift(far.uid, '08:00', '10:00')
    await hear({ fixes: saidBy(far.device, drive(at('08:00:00'), at('09:59:50'))) })
    const before = { truck: far.device, at: at('19:59:00', '2026-06-30'), metres: 1000 }
    await hear({ readings: [before, ...readingsOf(far.device, [['10:30:00', 110_000]])] })
    expect(await shiftTrack(farShift)).toMatchObject({ source: 'gps', odometer_metres: null })

    for (const replaced of [12, 900_000_000]) {
      const truck = await addTruck()
      const shift = await addShift(truck.uid, '08:00', '10:00')
      // A silence, in which only the odometer would have counted.
      const whole = drive(at('08:00:00'), at('09:59:50'))
      await hear({ fixes: saidBy(truck.device, [...whole.slice(0, 100), ...whole.slice(400)]) })
      const all: [string, number][] = [
        ['07:59:00', 5_000_000],
        ['08:30:00', 5_020_000],
        ['09:00:00', replaced],
        ['10:30:00', replaced + 5_000_000],
      ]
      await hear({ readings: readingsOf(truck.device, all) })
      expect(await shiftTrack(shift)).toMatchObject({ source: 'gps', odometer_metres: null })
    }
  })

  test('say in which share of it so far the truck was heard; silence makes it less', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '08:00', '12:00')
    await hear({ fixes: saidBy(truck.device, drive(at('08:00:00'), at('09:00:00'))) }, at('09:00:00'))
    expect((await shiftTrack(shift))?.coverage).toBe(1)
    await updateCoverage(db, at('10:00:00'))
    expect((await shiftTrack(shift))?.coverage).toBe(0.5)
    await updateCoverage(db, at('20:00:00'))
    expect((await shiftTrack(shift))?.coverage).toBe(0.25)
  })
})

describe('when a shift is changed after the fact', () => {
  async function driven() {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '08:00', '10:00')
    await hear({ fixes: saidBy(truck.device, drive(at('07:00:00'), at('11:00:00'))) })
    await remeasureShifts(db, { at: NOW })
    return { truck, shift, metres: (await shiftTrack(shift))?.metres ?? 0 }
  }
  const change = async (uid: string, set: object) => {
    await db.updateTable('shift').set(set).where('uid', '=', uid).execute()
    await remeasureShifts(db, { at: NOW })
  }

  test('its miles follow its hours, and so does what belongs to no shift', async () => {
    const { truck, shift, metres } = await driven()
    await change(shift, { status: 'completed', started_at: `${DAY}T08:00:00Z`, stopped_at: `${DAY}T09:00:00.123456Z` })
    expect((await shiftTrack(shift))?.metres).toBeCloseTo(metres / 2, -3)
    expect((await dayTrack(truck.uid))?.unassigned_metres).toBeCloseTo(3 * 54_000, -3)
    // It goes on from there, and is not made again: hours to the microsecond are found again.
    const before = await shiftTrack(shift)
    await change(shift, { note: 'nothing of interest' })
    expect(await shiftTrack(shift)).toEqual(before)
  })

  test('its miles are another truck’s, when it was another truck', async () => {
    const { truck, shift } = await driven()
    const other = await addTruck()
    const slow = drive(at('08:00:00'), at('09:00:00'))
    await hear({ fixes: saidBy(other.device, slow) })
    expect((await dayTrack(other.uid))?.unassigned_metres).toBeCloseTo(54_000, -3)
    await change(shift, { truck_uid: other.uid })
    expect((await shiftTrack(shift))?.metres).toBeCloseTo(54_000, -3)
    expect(await dayTrack(other.uid)).toMatchObject({ unassigned_metres: 0 })
    expect((await dayTrack(truck.uid))?.unassigned_metres).toBeCloseTo(4 * 54_000, -3)
  })

  test('a canceled one has none, and one that is planned in hindsight gets its own', async () => {
    const { truck, shift } = await driven()
    await change(shift, { status: 'cancelled', reason: 'Rain' })
    expect(await shiftTrack(shift)).toBeUndefined()
    expect((await dayTrack(truck.uid))?.unassigned_metres).toBeCloseTo(4 * 54_000, -3)
    const late = await addShift(truck.uid, '09:00', '10:00')
    await remeasureShifts(db, { at: NOW })
    expect((await shiftTrack(late))?.metres).toBeCloseTo(54_000, -3)
    expect((await dayTrack(truck.uid))?.unassigned_metres).toBeCloseTo(3 * 54_000, -3)
  })

  test('one of a truck that was never heard has no miles at all, not even none', async () => {
    const shift = await addShift((await addTruck()).uid, '08:00', '10:00')
    await change(shift, { status: 'completed', started_at: `${DAY}T08:00:00Z`, stopped_at: `${DAY}T09:00:00Z` })
    expect(await shiftTrack(shift)).toBeUndefined()
  })

  test('one of which the positions are gone keeps its miles', async () => {
    const { shift } = await driven()
    await db
      .updateTable('shift')
      .set({ stopped_at: `${DAY}T09:00:00Z`, started_at: `${DAY}T08:00:00Z` })
      .where('uid', '=', shift)
      .execute()
    const before = await shiftTrack(shift)
    await remeasureShifts(db, { at: NOW + 500 * DAY_MS })
    expect(await shiftTrack(shift)).toEqual(before)
  })
})

test('tracks of an earlier version are measured again, and only they', async () => {
  const truck = await addTruck()
  const shift = await addShift(truck.uid, '08:00', '10:00')
  await hear({ fixes: saidBy(truck.device, drive(at('07:00:00'), at('11:00:00'))) })
  await remeasureAll(NOW)
  const [before, day] = [await measured(shift), await daily(truck.uid, shift)]
  await db.updateTable('shift_track').set({ metres: 1, algorithm: 1 }).where('shift_uid', '=', shift).execute()
  await db
    .updateTable('truck_day_track')
    .set({ metres: 1, tracks: '{}', algorithm: 1 })
    .where('truck_uid', '=', truck.uid)
    .execute()
  await remeasureAll(NOW)
  expect((await shiftTrack(shift))?.metres).toBe(1)
  await queueOldTracks(db, NOW)
  await remeasureAll(NOW)
  expect([await measured(shift), await daily(truck.uid, shift)]).toEqual([before, day])
  await queueOldTracks(db, NOW)
  expect(await db.selectFrom('miles_due').selectAll().where('truck_uid', '=', truck.uid).execute()).toEqual([])
})

/** Cuts what comes into pages of chance length. */
function pages<T>(all: readonly T[], next: () => number): T[][] {
  const cut: T[][] = []
  for (let from = 0; from < all.length;) {
    const length = (next() % 600) + 1
    cut.push(all.slice(from, from + (all.length < 100 ? (length % 12) + 1 : length)))
    from += cut.at(-1)?.length ?? 1
  }
  return cut
}
