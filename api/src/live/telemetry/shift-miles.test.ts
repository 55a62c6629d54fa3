import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import type { TrackPoint } from '@roadshow/contract'
import { trackOf } from './miles.ts'
import { remeasureShifts, updateCoverage } from './remeasure.ts'
import { at, DAY, drive, openFleet, saidBy } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addTruck, addShift, hear, shiftTrack, dayTrack } = await openFleet(world)
const NOW = at('23:59:59')

const measured = async (shiftUid: string) => {
  const { track, gps_metres, odometer_metres, metres, source, estimated_metres, coverage } =
    (await shiftTrack(shiftUid)) ?? {}
  return { track, gps_metres, odometer_metres, metres, source, estimated_metres, coverage }
}
const daily = async (truckUid: string) => {
  const { metres, unassigned_metres, tracks } = (await dayTrack(truckUid)) ?? {}
  return { metres, unassigned_metres, tracks }
}

describe('the miles of a shift', () => {
  test('are those of its hours; the rest of the day belongs to no shift', async () => {
    const truck = await addTruck()
    const shift = await addShift(truck.uid, '08:00', '10:00')
    const whole = drive(at('07:00:00'), at('11:00:00'))
    await hear({ fixes: saidBy(truck.device, whole) })
    const expected = trackOf(whole.filter((fix) => fix.at >= at('08:00:00') && fix.at < at('10:00:00')))
    expect(await shiftTrack(shift)).toMatchObject({
      heard_ms: expected.heardMs,
      gps_metres: expected.metres,
      odometer_metres: null,
      metres: expected.metres,
      source: 'gps',
      algorithm: 1,
    })
    expect((await shiftTrack(shift))?.coverage).toBeCloseTo(1, 2)
    expect(expected.metres).toBeCloseTo(2 * 54_000, -3)
    const day = await dayTrack(truck.uid)
    expect(day?.metres).toBeCloseTo(4 * 54_000, -3)
    expect(day?.unassigned_metres).toBeCloseTo(2 * 54_000, -3)
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
          results.push({ shift: await measured(shift), day: await daily(truck.uid) })
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

  test('are the odometer’s where it agrees, whichever of both is heard first', async () => {
    const fixes = drive(at('08:00:00'), at('09:59:50'))
    const readings = (device: string) =>
      [
        { at: at('07:59:00'), metres: 1_000_000 },
        { at: at('08:00:10'), metres: 1_000_500 },
        { at: at('09:59:40'), metres: 1_110_500 },
        { at: at('10:01:00'), metres: 1_120_000 },
      ].map((reading) => ({ ...reading, truck: device }))
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
    expect(results[0]).toMatchObject({ odometer_metres: 110_000, metres: 110_000, source: 'odometer' })
    expect(results[1]).toEqual(results[0])
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
    await remeasureShifts(db, NOW)
    return { truck, shift, metres: (await shiftTrack(shift))?.metres ?? 0 }
  }
  const change = async (uid: string, set: object) => {
    await db.updateTable('shift').set(set).where('uid', '=', uid).execute()
    await remeasureShifts(db, NOW)
  }

  test('its miles follow its hours, and so does what belongs to no shift', async () => {
    const { truck, shift, metres } = await driven()
    await change(shift, { status: 'completed', started_at: `${DAY}T08:00:00Z`, stopped_at: `${DAY}T09:00:00.123456Z` })
    expect((await shiftTrack(shift))?.metres).toBeCloseTo(metres / 2, -3)
    expect((await dayTrack(truck.uid))?.unassigned_metres).toBeCloseTo(3 * 54_000, -3)
    // It goes on from there, and is not made anew: hours to the microsecond are found again.
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

  test('a cancelled one has none, and one that is planned in hindsight gets its own', async () => {
    const { truck, shift } = await driven()
    await change(shift, { status: 'cancelled', reason: 'Rain' })
    expect(await shiftTrack(shift)).toBeUndefined()
    expect((await dayTrack(truck.uid))?.unassigned_metres).toBeCloseTo(4 * 54_000, -3)
    const late = await addShift(truck.uid, '09:00', '10:00')
    await remeasureShifts(db, NOW)
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
    await remeasureShifts(db, NOW + 500 * 86_400_000)
    expect(await shiftTrack(shift)).toEqual(before)
  })
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
