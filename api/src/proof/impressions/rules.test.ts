import { DAY_MS, type ImpressionInputs, type Point, type TrackPoint } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { impressionRanges, impressionsOf, type ShiftTrack } from './rules.ts'

// 2 PM in Dallas.
const START = Date.parse('2026-07-01T19:00:00Z')
const MINUTE = 60_000
const HERE = { latitude: 32.78, longitude: -96.8 }
const METERS_PER_MPH_MINUTE = 1609.344 / 60
const DEGREES_PER_METER = 1 / 111_195

/** Round numbers: a vehicle in a hundred of the day passes each hour, and each of them looks at one side. */
const inputs: ImpressionInputs = {
  areas: [
    {
      name: 'Every market',
      marketUid: null,
      dailyVehicles: { interstate: 300_000, principalArterial: 60_000, other: 6000 },
    },
    {
      name: 'Tulsa',
      marketUid: 'tulsa',
      dailyVehicles: { interstate: 30_000, principalArterial: 30_000, other: 30_000 },
    },
  ],
  hours: Array.from({ length: 24 }, (_, hour) => ({ share: 0.01, isNight: hour < 6 || hour >= 20 })),
  speeds: { interstateFromMph: 50, principalArterialFromMph: 30 },
  sides: {
    driverSide: { opposite: 1, same: 0 },
    passengerSide: { opposite: 0, same: 0.5 },
    rear: { opposite: 0, same: 0.5 },
  },
  occupancy: 1,
  isLit: { led: true, printed: false },
  sources: { areas: '-', hours: '-', speeds: '-', sides: '-', occupancy: '-', isLit: '-' },
}
const nowhere = () => undefined

/** A drive to the north at a speed, heard every ten seconds. */
function driveAt(mph: number, minutes: number, from = START): TrackPoint[] {
  return Array.from({ length: minutes * 6 + 1 }, (_, index) => ({
    at: from + index * 10_000,
    latitude: HERE.latitude + (index / 6) * mph * METERS_PER_MPH_MINUTE * DEGREES_PER_METER,
    longitude: HERE.longitude,
    speedKmh: mph * 1.609,
  }))
}

const shiftOf = (fixes: readonly TrackPoint[], given: Partial<ShiftTrack> = {}): ShiftTrack => ({
  fixes,
  hours: [{ from: START, to: START + DAY_MS }],
  zone: 'America/Chicago',
  marketUid: 'dallas',
  truckKind: 'led',
  hasPlays: true,
  ...given,
})

const find = (
  fixes: readonly TrackPoint[],
  given: Partial<ShiftTrack> = {},
  countAt: (place: Point) => number | undefined = nowhere,
) => impressionsOf(shiftOf(fixes, given), { inputs, countAt })

describe('an hour of driving', () => {
  test.each([
    // Low: half the vehicles in half the share of the hour, four fifths of whom look. High: three halves twice, 1.2 people each.
    ['60 mph is on an interstate, and low on an arterial', 60, { low: 120, likely: 3000, high: 8100 }],
    ['40 mph is on an arterial, and anything is possible', 40, { low: 12, likely: 600, high: 8100 }],
    ['20 mph is on another road, or in a jam on an interstate', 20, { low: 12, likely: 60, high: 8100 }],
  ])('at %s', (_, mph, range) => expect(find(driveAt(mph, 60))).toMatchObject({ ...range, countedMs: 60 * MINUTE }))

  test('counts only the part that is heard', () => {
    expect(find(driveAt(40, 30))).toMatchObject({ likely: 300, countedMs: 30 * MINUTE })
    // A silence of more than five minutes in the middle.
    const silent = driveAt(40, 60).filter(({ at }) => at <= START + 20 * MINUTE || at >= START + 40 * MINUTE)
    const { low: lowOfHour = 0, high } = find(driveAt(40, 60)) ?? {}
    // In the silence the truck may have been on the busiest road, or on none.
    expect(find(silent)).toMatchObject({ low: (lowOfHour * 40) / 60, likely: 400, high, countedMs: 40 * MINUTE })
  })

  test('a silence in which the truck stayed put adds nothing', () => {
    const stop = driveAt(40, 20).at(-1) as TrackPoint
    const stands = { ...stop, at: stop.at + 10_000, speedKmh: 0 }
    const later = { ...stands, at: stands.at + 60 * MINUTE }
    expect(find([...driveAt(40, 20), stands, later])).toEqual(find([...driveAt(40, 20), stands]))
  })

  test('takes the area of the shift’s market', () =>
    expect(find(driveAt(40, 60), { marketUid: 'tulsa' })).toMatchObject({ low: 60, likely: 300, high: 810 }))

  test('takes the count of a road where there is one, with a smaller range', () =>
    expect(find(driveAt(40, 60), {}, () => 10_000)).toMatchObject({ low: 32, likely: 100, high: 216 }))

  test('is divided among shifts by their hours', () => {
    const track = driveAt(40, 60)
    const half = START + 30 * MINUTE
    const first = find(track, { hours: [{ from: START, to: half }] })
    const both = find(track, {
      hours: [
        { from: START, to: half },
        { from: half, to: START + 61 * MINUTE },
      ],
    })
    expect([first?.likely, both?.likely]).toEqual([298, 598])
  })
})

describe('what does not count', () => {
  test('a truck that is parked, also where its fixes wander', () => {
    const parked = Array.from({ length: 361 }, (_, index) => ({
      at: START + index * 10_000,
      latitude: HERE.latitude + Math.sin(index * 7) * 8 * DEGREES_PER_METER,
      longitude: HERE.longitude + Math.cos(index * 11) * 8 * DEGREES_PER_METER,
      speedKmh: 0,
    }))
    expect(find(parked)).toMatchObject({ likely: 0, high: 0, countedMs: 0, parkedMs: 60 * MINUTE })
  })

  test('a stop of less than two minutes counts with the step in which the truck drove on', () => {
    const first = driveAt(20, 4)
    const end = first.at(-1) as TrackPoint
    const waits = Array.from({ length: 6 }, (_, index) => ({ ...end, at: end.at + (index + 1) * 10_000, speedKmh: 0 }))
    expect(find([...first, ...waits])?.countedMs).toBe(4 * MINUTE)
    expect(find([...first, ...waits])?.parkedMs).toBe(MINUTE)
  })

  test('the night of a truck without light, by the clocks of the market', () => {
    // 11 PM in Dallas.
    const night = driveAt(40, 60, START + 9 * 60 * MINUTE)
    expect(find(night)).toMatchObject({ likely: 600, unlitMs: 0 })
    expect(find(night, { truckKind: 'printed' })).toMatchObject({ likely: 0, countedMs: 0, unlitMs: 60 * MINUTE })
    expect(find(night, { truckKind: 'printed', zone: 'Asia/Tokyo' })).toMatchObject({ likely: 600 })
  })

  test('the shift of an LED truck without a single play', () => {
    const nothing = { low: 0, likely: 0, high: 0, countedMs: 0, parkedMs: 0, unlitMs: 0 }
    expect(find(driveAt(40, 60), { hasPlays: false })).toEqual(nothing)
    expect(find(driveAt(40, 60), { hasPlays: false, truckKind: 'printed' })).toMatchObject({ likely: 600 })
  })

  test('a shift without positions has no estimate, which is not zero', () => {
    expect(find([])).toBeUndefined()
    expect(find(driveAt(40, 60), { hours: [] })).toBeUndefined()
    expect(find(driveAt(40, 60).slice(0, 1))).toBeUndefined()
  })
})

const aTrack = fc
  .array(fc.record({ mph: fc.integer({ min: 0, max: 70 }), seconds: fc.integer({ min: 1, max: 400 }) }), {
    minLength: 2,
    maxLength: 120,
  })
  .map((legs) => {
    let [at, latitude] = [START + 1234, HERE.latitude]
    return legs.map(({ mph, seconds }): TrackPoint => {
      at += seconds * 1000
      latitude += (mph * METERS_PER_MPH_MINUTE * seconds * DEGREES_PER_METER) / 60
      return { at, latitude, longitude: HERE.longitude, speedKmh: mph * 1.609 }
    })
  })

describe('for any track', () => {
  test('shuffled and doubled positions give the same numbers, to the last digit', () =>
    fc.assert(
      fc.property(aTrack, fc.infiniteStream(fc.nat()), (track, order) => {
        const known = track.map((fix) => ({ fix, place: order.next().value as number }))
        const shuffled = known.toSorted((one, other) => one.place - other.place).map(({ fix }) => fix)
        expect(find([...shuffled, ...shuffled.slice(0, 7)])).toEqual(find(track))
      }),
    ))

  test('late positions give the numbers of all of them, whatever came first', () =>
    fc.assert(
      fc.property(aTrack, fc.nat({ max: 120 }), (track, split) => {
        const [early, late] = [track.slice(split), track.slice(0, split)]
        expect(find([...early, ...late])).toEqual(find(track))
      }),
    ))

  test('whatever traffic, hours, looks and people really are within their ranges, low and high enclose it', () => {
    const between = ({ low, high }: { low: number; high: number }) => fc.double({ min: low, max: high, noNaN: true })
    const { classVehicles, hourShare, visibleShare, occupancy } = impressionRanges
    const truth = fc.record({
      road: between(classVehicles),
      hour: between(hourShare),
      // All of the vehicles of the tests look already.
      look: between({ low: visibleShare.low, high: 1 }),
      people: between({ low: 1, high: occupancy.high }),
    })
    fc.assert(
      fc.property(aTrack, truth, (track, { road, hour, look, people }) => {
        const areas = inputs.areas.map((area) => {
          const { interstate, principalArterial, other } = area.dailyVehicles
          const scaled = {
            interstate: interstate * road,
            principalArterial: principalArterial * road,
            other: other * road,
          }
          return { ...area, dailyVehicles: scaled }
        })
        const hours = inputs.hours.map((each) => ({ ...each, share: each.share * hour }))
        const sides = { ...inputs.sides, driverSide: { opposite: look, same: 0 } }
        const real = impressionsOf(shiftOf(track), {
          inputs: { ...inputs, areas, hours, sides, occupancy: people },
          countAt: nowhere,
        })
        const found = find(track)
        if (!found || !real) return
        expect(real.likely).toBeGreaterThanOrEqual(found.low)
        expect(real.likely).toBeLessThanOrEqual(found.high)
      }),
    )
  })

  test('low is at most likely, likely at most high, and no time counts twice', () =>
    fc.assert(
      fc.property(aTrack, (track) => {
        const found = find(track)
        if (!found) return
        expect(found.low).toBeLessThanOrEqual(found.likely)
        expect(found.likely).toBeLessThanOrEqual(found.high)
        const length = (track.at(-1)?.at ?? 0) - (track[0]?.at ?? 0)
        expect(found.countedMs + found.parkedMs + found.unlitMs).toBeLessThanOrEqual(length)
      }),
    ))
})
