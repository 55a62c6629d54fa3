import { describe, expect, test } from 'vitest'
import { type GpsFix, NIL_UUID } from '@roadshow/contract'
import { gradePhoto, type PhotoClaim } from './grading.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')
const DALLAS = { latitude: 32.78, longitude: -96.8 }
const north = (meters: number) => ({ ...DALLAS, latitude: DALLAS.latitude + meters / 111_195 })
const fix = (seconds: number, meters = 0): GpsFix => ({ at: NOON + seconds * 1000, ...north(meters) })

const photo = (given: Partial<PhotoClaim> = {}): PhotoClaim => ({
  at: NOON,
  timeSource: 'exif',
  place: DALLAS,
  placeSource: 'exif',
  accuracyM: null,
  isOfDriver: false,
  truckUid: NIL_UUID,
  hours: { from: NOON - 3_600_000, to: NOON + 3_600_000 },
  ...given,
})

/** A drive to the north at 15 m/s that is at the photo's place with the photo, heard every ten seconds. */
const drive = Array.from({ length: 25 }, (_, index) => fix((index - 12) * 10, (index - 12) * 150))

describe('a photo beside the track of its truck', () => {
  test('is verified where time and place agree, and says by how much', () => {
    expect(gradePhoto(photo({ place: { ...DALLAS, longitude: -96.8022 } }), [fix(40)])).toEqual({
      grade: 'verified',
      reason: '0.1 mi from the truck, 40 s apart',
      distanceM: 206,
      secondsApart: 40,
    })
    expect(gradePhoto(photo(), drive)).toMatchObject({ grade: 'verified', distanceM: 0, secondsApart: 0 })
  })

  test('two miles off is a conflict; between is neither', () => {
    expect(gradePhoto(photo({ place: north(3219) }), [fix(-5), fix(5)])).toMatchObject({
      grade: 'conflict',
      reason: '2.0 mi from the truck, 5 s apart',
    })
    expect(gradePhoto(photo({ place: north(900) }), [fix(-5), fix(5)])).toMatchObject({
      grade: 'unverified',
      reason: '0.6 mi from the truck, 5 s apart',
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
    // Fixes farther away leave the route open: only a place that it cannot have reached contradicts.
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
    ['The photo has no recorded time or place', { at: null, timeSource: null, place: null, placeSource: null }],
    ['The photo has no recorded time', { at: null, timeSource: null }],
    ['The photo has no recorded place', { place: null, placeSource: null }],
    ["The time and place were entered by hand and can't be verified", { timeSource: 'typed', placeSource: 'typed' }],
    ["The time was entered by hand and can't be verified", { timeSource: 'typed' }],
    ["The place was entered by hand and can't be verified", { placeSource: 'typed', place: north(9000) }],
    ['Not assigned to a shift, so there is no truck to compare with', { truckUid: null, hours: null }],
  ])('never verifies, nor contradicts: %s', (reason, given) => {
    expect(gradePhoto(photo(given), drive)).toEqual({
      grade: 'unverified',
      reason,
      distanceM: null,
      secondsApart: null,
    })
  })

  test('a phone’s own record is as good as the camera’s, unless the phone knew its place only roughly', () => {
    const phone = { timeSource: 'phone', placeSource: 'phone', accuracyM: 12 } as const
    expect(gradePhoto(photo(phone), drive)).toEqual(gradePhoto(photo(), drive))
    expect(gradePhoto(photo({ ...phone, place: north(3219) }), drive).grade).toBe('conflict')
    for (const place of [DALLAS, north(3219)]) {
      expect(gradePhoto(photo({ ...phone, place, accuracyM: 1500 }), drive)).toEqual({
        grade: 'unverified',
        reason: 'The phone knew its place only to within 0.9 mi',
        distanceM: null,
        secondsApart: null,
      })
    }
    const hours = { from: NOON + 26 * 3_600_000, to: NOON + 34 * 3_600_000 }
    expect(gradePhoto(photo({ ...phone, hours, accuracyM: 1500 }), drive).grade).toBe('conflict')
  })

  test('without any track cannot tell', () => {
    const unknown = { grade: 'unverified', reason: 'No GPS data from the truck around that time' }
    expect(gradePhoto(photo(), [])).toMatchObject(unknown)
    expect(gradePhoto(photo(), [fix(31 * 60)])).toMatchObject(unknown)
  })

  test.each([
    ['phone', "0 ft from the truck by the driver's phone, 0 s apart"],
    ['player', '0 ft from the truck by its player, 0 s apart'],
    [null, '0 ft from the truck, 0 s apart'],
  ] as const)('says what placed the truck: %s', (by, reason) => {
    expect(gradePhoto(photo(), [{ ...fix(0), by }])).toMatchObject({ grade: 'verified', reason })
  })

  test('is not judged by the phone that took it', () => {
    const own = { ...fix(0), by: 'phone' } as const
    const ofDriver = photo({ isOfDriver: true })
    const unknown = { grade: 'unverified', reason: 'No independent GPS data from the truck around that time' }
    expect(gradePhoto(ofDriver, [own])).toMatchObject(unknown)
    // Nor does a place far from where the phone was contradict it.
    expect(gradePhoto(photo({ isOfDriver: true, place: north(5000) }), [own])).toMatchObject(unknown)
    expect(gradePhoto(ofDriver, [])).toMatchObject({ reason: 'No GPS data from the truck around that time' })
    expect(gradePhoto(ofDriver, [own, { ...fix(30), by: 'player' }])).toMatchObject({
      grade: 'verified',
      reason: '0 ft from the truck by its player, 30 s apart',
    })
    expect(gradePhoto(ofDriver, [own, { ...fix(40, 100), by: null }])).toMatchObject({
      grade: 'verified',
      reason: '328 ft from the truck, 40 s apart',
    })
  })

  test('of hours before or after the shift is a conflict, whatever the truck did then', () => {
    const hours = { from: NOON + 26 * 3_600_000, to: NOON + 34 * 3_600_000 }
    expect(gradePhoto(photo({ hours }), drive)).toMatchObject({
      grade: 'conflict',
      reason: 'Taken 26 h before the shift started',
    })
    expect(gradePhoto(photo({ hours: { from: NOON + 3_600_000, to: NOON + 7_200_000 } }), drive).grade).toBe('verified')
  })
})
