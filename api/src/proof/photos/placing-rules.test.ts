import { describe, expect, test } from 'vitest'
import { instantOfClock } from '../../platform/spreadsheet/local-time.ts'
import {
  type CandidateShift,
  chooseShift,
  type LocatedCandidate,
  marketOfPlace,
  phoneData,
  photoData,
  placeInProgram,
  shiftsNearPhoto,
} from './placing-rules.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')
const DALLAS = { latitude: 32.78, longitude: -96.8 }
const north = (meters: number) => ({ ...DALLAS, latitude: DALLAS.latitude + meters / 111_195 })

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
  test('shifts under way come before those just over or about to start; others are left out', () => {
    const shifts = [shift('over', -9, -1), shift('days ago', -50, -40), shift('now', -1, 7), shift('later', 3, 9)]
    expect(uidsOf(shiftsNearPhoto(shifts, () => NOON))).toEqual(['now', 'over'])
    expect(uidsOf(shiftsNearPhoto(shifts, () => null))).toEqual([])
    // A clock without a zone means another moment in each.
    const clock = (zone: string) => instantOfClock('2026-07-01T12:00:00', zone)
    const tokyo = shift('tokyo', -1, 7, { zone: 'Asia/Tokyo' })
    expect(uidsOf(shiftsNearPhoto([tokyo, shift('dallas', -1, 7)], clock))).toEqual(['dallas'])
  })

  test('the office’s photo gets the shift of the nearest truck; without a place, the only shift', () => {
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

  test('of two markets that hold a place the one whose center is nearer', () => {
    const circle = (uid: string, meters: number) => ({
      uid,
      zone: 'UTC',
      earlierZones: [],
      ...north(meters),
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

describe('when and where a photo was taken', () => {
  const none = { at: null, clock: null, place: null }
  const [chicago, typedAt] = ['America/Chicago', '2026-07-01T20:00:00Z']

  test.each([
    ['an instant of the camera', { ...none, at: NOON }, {}, [NOON, NOON]],
    [
      'a local time of the camera',
      { ...none, clock: '2026-07-01T12:00:00' },
      {},
      [NOON, Date.parse('2026-07-01T12:00Z')],
    ],
    ['a typed time', none, { takenAt: typedAt }, [Date.parse(typedAt), Date.parse(typedAt)]],
    ['the camera before a typed time', { ...none, at: NOON }, { takenAt: typedAt }, [NOON, NOON]],
    ['nothing', none, {}, [null, null]],
  ])('is known by %s', (_, camera, typed, [instant, approximate]) => {
    const data = photoData(camera, typed)
    expect([data.instantIn(chicago), data.approximateInstant]).toEqual([instant, approximate])
  })

  test('a typed place counts only without one of the camera, and needs both numbers', () => {
    expect(photoData({ ...none, place: DALLAS }, north(100))).toMatchObject({ place: DALLAS, placeSource: 'exif' })
    expect(photoData(none, DALLAS)).toMatchObject({ place: DALLAS, placeSource: 'typed' })
    expect(photoData(none, { latitude: 1 })).toMatchObject({ place: null, placeSource: null })
  })
})

describe('the time of a phone', () => {
  const [second, hour] = [1000, 3_600_000]
  const iso = (at: number) => new Date(at).toISOString()
  const record = (clock: number) => ({
    takenAt: iso(NOON + clock),
    sentAt: iso(NOON + second + clock),
    latitude: null,
    longitude: null,
    accuracyM: null,
  })

  test.each([
    ['right, and the upload is fast', 0, 2],
    ['right, and the upload is slow', 0, 179],
    ['an hour ahead', hour, 2],
    ['an hour behind, and the upload is slow', -hour, 179],
  ])('is true where its clock is %s', (_, clock, receivedFor) => {
    const now = NOON + 2 * second + receivedFor * second
    const at = phoneData(record(clock), now, receivedFor * second).at ?? NaN
    // A clock that is corrected is as exact as the way of the request.
    expect(at).toBe(clock === 0 ? NOON : NOON + second)
  })

  test('is unknown where the photo would be taken after now', () => {
    const later = { ...record(0), takenAt: iso(NOON + 182 * second + 2 * 60 * second) }
    expect(phoneData(later, NOON + 181 * second, 179 * second).at).toBeNull()
    const asNow = { ...later, takenAt: iso(NOON + 181 * second) }
    expect(phoneData(asNow, NOON + 181 * second, 179 * second).at).toBe(NOON + 181 * second)
  })

  test('is unknown where its clock moved by centuries in between', () => {
    const wild = { ...record(0), takenAt: '0001-01-01T00:00:00Z', sentAt: '9999-01-01T00:00:00Z' }
    expect(phoneData(wild, NOON, 0).at).toBeNull()
  })
})

describe('a photo in its program', () => {
  const camera = { at: null, clock: '2026-07-01T12:00:00', place: null }
  const market = (uid: string, zone: string, center = DALLAS) => ({
    uid,
    zone,
    earlierZones: [],
    ...center,
    radiusM: 30_000,
    outline: null,
  })
  const [dallas, denver] = [market('dallas', 'America/Chicago'), market('denver', 'America/Denver', north(900_000))]
  const facts = { programUid: 'program', chosenMarketUid: undefined, shift: undefined, markets: [dallas, denver] }

  test('belongs to the market of its shift, otherwise the chosen one, that of its place, or the only one', () => {
    const data = photoData({ ...camera, place: DALLAS }, {})
    const ofShift = { ...facts, shift: shift('late', -1, 7, { marketUid: 'denver' }), chosenMarketUid: 'dallas' }
    expect(placeInProgram(data, ofShift).marketUid).toBe('denver')
    expect(placeInProgram(data, { ...facts, chosenMarketUid: 'denver' }).marketUid).toBe('denver')
    expect(placeInProgram(data, facts).marketUid).toBe('dallas')
    expect(placeInProgram(photoData(camera, {}), { ...facts, markets: [denver] }).marketUid).toBe('denver')
    expect(placeInProgram(photoData(camera, {}), facts).marketUid).toBeNull()
  })

  test('reads a local time in the zone of its market; without a zone it has no time', () => {
    const inZone = placeInProgram(photoData(camera, {}), { ...facts, chosenMarketUid: 'denver' })
    expect(inZone).toMatchObject({ at: NOON + 3_600_000, timeSource: 'exif' })
    expect(placeInProgram(photoData(camera, {}), facts)).toMatchObject({ at: null, timeSource: null })
    const typed = photoData(camera, { takenAt: '2026-07-01T17:00:00Z' })
    expect(placeInProgram(typed, facts)).toMatchObject({ at: NOON, timeSource: 'typed' })
  })
})
