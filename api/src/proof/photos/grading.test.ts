import { describe, expect, test } from 'vitest'
import type { GpsFix } from '@roadshow/contract'
import { gradePhoto, type PhotoClaim } from './grading.ts'
import { instantOfClock } from './placing.ts'
import {
  type LocatedCandidate,
  marketOfPlace,
  type CandidateShift,
  chooseShift,
  shiftsNearPhoto,
} from './placing-rules.ts'
import { semaphore } from '../../platform/runtime/semaphore.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')
const DALLAS = { latitude: 32.78, longitude: -96.8 }
const north = (metres: number) => ({ ...DALLAS, latitude: DALLAS.latitude + metres / 111_195 })
const fix = (seconds: number, metres = 0): GpsFix => ({ at: NOON + seconds * 1000, ...north(metres) })

const photo = (given: Partial<PhotoClaim> = {}): PhotoClaim => ({
  at: NOON,
  timeSource: 'exif',
  place: DALLAS,
  placeSource: 'exif',
  hasTruck: true,
  hours: { from: NOON - 3_600_000, to: NOON + 3_600_000 },
  ...given,
})

/** A drive to the north at 15 m/s that is at the photo's place with the photo, heard every ten seconds. */
const drive = Array.from({ length: 25 }, (_, index) => fix((index - 12) * 10, (index - 12) * 150))

describe('a photo beside the track of its truck', () => {
  test('is verified where time and place agree, and says by how much', () => {
    expect(gradePhoto(photo({ place: { ...DALLAS, longitude: -96.8022 } }), [fix(40)])).toEqual({
      grade: 'verified',
      reason: '0.13 mi from the truck, 40 s apart',
      distanceM: 206,
      secondsApart: 40,
    })
    expect(gradePhoto(photo(), drive)).toMatchObject({ grade: 'verified', distanceM: 0, secondsApart: 0 })
  })

  test('two miles off is a conflict; between is neither', () => {
    expect(gradePhoto(photo({ place: north(3219) }), [fix(-5), fix(5)])).toMatchObject({
      grade: 'conflict',
      reason: '2 mi from the truck, 5 s apart',
    })
    expect(gradePhoto(photo({ place: north(900) }), [fix(-5), fix(5)])).toMatchObject({
      grade: 'unverified',
      reason: '0.56 mi from the truck, 5 s apart',
    })
  })

  test('is the same by the same fixes in any order and said twice', () => {
    const inOrder = gradePhoto(photo({ place: north(200) }), drive)
    const shuffled = drive.toSorted((one, other) => ((one.at / 1000) % 7) - ((other.at / 1000) % 7))
    expect(gradePhoto(photo({ place: north(200) }), [...shuffled, ...shuffled])).toEqual(inOrder)
  })

  test('may be anywhere along the way between two fixes', () => {
    const between = photo({ place: north(600) })
    expect(gradePhoto(between, [fix(-40, 0), fix(40, 1200)])).toMatchObject({ grade: 'verified', distanceM: 0 })
    // Of fixes farther away nobody knows which way it took: only what it cannot have reached contradicts.
    expect(gradePhoto(between, [fix(-90, 0), fix(90, 1200)]).grade).toBe('unverified')
    expect(gradePhoto(photo({ place: north(20_000) }), [fix(-90, 0), fix(90, 1200)]).grade).toBe('conflict')
  })

  test('knows a parked truck whose tracker is silent', () => {
    const silent = [fix(-900), fix(1200, 40)]
    expect(gradePhoto(photo({ place: north(100) }), silent)).toMatchObject({
      grade: 'verified',
      reason: '197 ft from the truck, 15 min apart',
    })
    expect(gradePhoto(photo({ place: north(3219) }), silent).grade).toBe('conflict')
    expect(gradePhoto(photo({ place: north(100) }), silent.slice(0, 1)).grade).toBe('unverified')
  })

  test.each<[string, Partial<PhotoClaim>]>([
    [
      'The photo does not say when or where it was taken',
      { at: null, timeSource: null, place: null, placeSource: null },
    ],
    ['The photo does not say when it was taken', { at: null, timeSource: null }],
    ['The photo does not say where it was taken', { place: null, placeSource: null }],
    ['Its time and place were typed in, which proves nothing', { timeSource: 'typed', placeSource: 'typed' }],
    ['Its time was typed in, which proves nothing', { timeSource: 'typed' }],
    ['Its place was typed in, which proves nothing', { placeSource: 'typed', place: north(9000) }],
    ['It belongs to no shift, so there is no truck to compare with', { hasTruck: false, hours: null }],
  ])('never verifies, nor contradicts: %s', (reason, given) => {
    expect(gradePhoto(photo(given), drive)).toEqual({
      grade: 'unverified',
      reason,
      distanceM: null,
      secondsApart: null,
    })
  })

  test('without any track cannot tell', () => {
    const unknown = { grade: 'unverified', reason: 'No position of the truck is known around that time' }
    expect(gradePhoto(photo(), [])).toMatchObject(unknown)
    expect(gradePhoto(photo(), [fix(31 * 60)])).toMatchObject(unknown)
  })

  test('of hours before or after the shift is a conflict, whatever the truck did then', () => {
    const hours = { from: NOON + 26 * 3_600_000, to: NOON + 34 * 3_600_000 }
    expect(gradePhoto(photo({ hours }), drive)).toMatchObject({
      grade: 'conflict',
      reason: 'Taken 26 hours before the shift began',
    })
    expect(gradePhoto(photo({ hours: { from: NOON + 3_600_000, to: NOON + 7_200_000 } }), drive).grade).toBe('verified')
  })
})

const shift = (uid: string, from: number, to: number, given: Partial<LocatedCandidate> = {}): LocatedCandidate => ({
  uid,
  programUid: 'program',
  marketUid: 'market',
  truckUid: `truck of ${uid}`,
  zone: 'America/Chicago',
  from: NOON + from * 3_600_000,
  to: NOON + to * 3_600_000,
  truckAt: null,
  ...given,
})

const uidsOf = (shifts: readonly CandidateShift[]) => shifts.map(({ uid }) => uid)

describe('where a photo is proposed to belong', () => {
  test('shifts that it was taken in come before those that were over or to come, and others not at all', () => {
    const shifts = [shift('over', -9, -1), shift('days ago', -50, -40), shift('now', -1, 7), shift('later', 3, 9)]
    expect(uidsOf(shiftsNearPhoto(shifts, () => NOON))).toEqual(['now', 'over'])
    expect(uidsOf(shiftsNearPhoto(shifts, () => null))).toEqual([])
    // A clock without a zone means another moment in each.
    const clock = (zone: string) => instantOfClock('2026-07-01T12:00:00', zone)
    const tokyo = shift('tokyo', -1, 7, { zone: 'Asia/Tokyo' })
    expect(uidsOf(shiftsNearPhoto([tokyo, shift('dallas', -1, 7)], clock))).toEqual(['dallas'])
  })

  test('of the office’s photos the nearest truck decides; without a place, that there is no other', () => {
    const [near, far] = [shift('near', -1, 7, { truckAt: north(900) }), shift('far', -1, 7, { truckAt: north(5000) })]
    expect(chooseShift([far, near], DALLAS, true)?.uid).toBe('near')
    expect(chooseShift([far], DALLAS, true)?.uid).toBe('far')
    expect(chooseShift([far], DALLAS, false)).toBeUndefined()
    expect(chooseShift([near, far], null, true)).toBeUndefined()
    expect(chooseShift([near], null, true)?.uid).toBe('near')
    expect(chooseShift([near], null, false)).toBeUndefined()
    expect(chooseShift([shift('one', -1, 7), shift('two', -1, 7)], DALLAS, true)).toBeUndefined()
    expect(chooseShift([], DALLAS, true)).toBeUndefined()
  })

  test('of two markets that hold a place the one whose centre is nearer', () => {
    const circle = (uid: string, metres: number) => ({
      uid,
      zone: 'UTC',
      ...north(metres),
      radiusM: 30_000,
      outline: null,
    })
    expect(marketOfPlace([circle('wide', 20_000), circle('here', 1000)], DALLAS)?.uid).toBe('here')
    expect(marketOfPlace([circle('elsewhere', 90_000)], DALLAS)).toBeUndefined()
    expect(marketOfPlace([{ ...circle('nowhere', 0), radiusM: null }], DALLAS)).toBeUndefined()
    expect(marketOfPlace([circle('here', 0)], null)).toBeUndefined()
  })

  test('what clocks showed is read in a zone, also where they skip an hour', () => {
    expect(instantOfClock('2026-07-01T12:00:07', 'America/Chicago')).toBe(NOON + 7000)
    expect(instantOfClock('2026-01-01T12:00:00', 'America/Chicago')).toBe(Date.parse('2026-01-01T18:00:00Z'))
    expect(instantOfClock('2026-03-08T02:30:00', 'America/Chicago')).toBeNull()
  })
})

test('a room lets in what fits, in the order of coming, also after work that failed', async () => {
  const inside = semaphore(2)
  const ends: (() => void)[] = []
  const began: string[] = []
  const work = (name: string, weight: number) =>
    inside(weight, () => {
      began.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const failing = inside(2, async () => {
    throw new Error('broken')
  })
  const [one, two, large] = [work('one', 1), work('two', 1), work('large', 99)]
  await expect(failing).rejects.toThrow('broken')
  await new Promise(setImmediate)
  expect(began).toEqual(['one', 'two'])
  ends.forEach((end) => end())
  await Promise.all([one, two])
  await new Promise(setImmediate)
  expect(began).toEqual(['one', 'two', 'large'])
  ends.at(-1)?.()
  await large
})
