import { describe, expect, test } from 'vitest'
import { accuracyOf, externalIdOf, headingOf, normalizeFix, speedOf, type SentFix, timeOf } from './normalize-rules.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')

test.each([
  ['seconds', NOON / 1000, NOON],
  ['seconds as text', String(NOON / 1000), NOON],
  ['seconds with a fraction', NOON / 1000 + 0.25, NOON + 250],
  ['milliseconds', NOON, NOON],
  ['milliseconds as text', ` ${NOON} `, NOON],
  ['microseconds', NOON * 1000, NOON],
  ['nanoseconds', `${NOON}000000`, NOON],
  ['ISO in UTC', '2026-07-01T17:00:00Z', NOON],
  ['ISO with milliseconds', '2026-07-01T17:00:00.250Z', NOON + 250],
  ['ISO with nanoseconds', '2026-07-01T17:00:00.250999999Z', NOON + 250],
  ['ISO with a comma', '2026-07-01T17:00:00,25Z', NOON + 250],
  ['ISO with a zone', '2026-07-01T12:00:00-05:00', NOON],
  ['ISO with a zone without a colon', '2026-07-01T12:00:00-0500', NOON],
  ['ISO with the hours of a zone', '2026-07-01T19:00:00+02', NOON],
  ['ISO without a zone', '2026-07-01T17:00:00', NOON],
  ['ISO without seconds', '2026-07-01T17:00Z', NOON],
  ['day and time', '2026-07-01 17:00:00', NOON],
  ['a word', 'noon', undefined],
  ['a day that does not exist', '2026-02-30T25:00:00Z', undefined],
  ['a day alone', '2026-07-01', undefined],
  ['nothing', '', undefined],
  ['null', null, undefined],
  ['zero', 0, undefined],
  ['a time before 1970', -1, undefined],
  ['infinity', Infinity, undefined],
  ['the end of numbers', '1e99', undefined],
  ['a long text', '1'.repeat(1000), undefined],
  ['an object', { valueOf: () => NOON }, undefined],
])('a time in %s', (_, sent, read) => expect(timeOf(sent)).toBe(read))

test.each([
  ['km/h', 54, 'kmh', 54],
  ['knots', 54 / 1.852, 'knots', 54],
  ['knots with four digits', 29.1577, 'knots', 54],
  ['m/s', 15, 'ms', 54],
  ['mph', 54 / 1.609344, 'mph', 54],
  ['mph with two digits', 33.55, 'mph', 54],
  ['text', '15', 'ms', 54],
  ['a stand', 0, 'knots', 0],
  ['the unknown speed of a phone', -1, 'ms', null],
  ['an impossible speed', 1_000, 'kmh', null],
  ['a speed that rounds to an impossible one', 999.99, 'kmh', null],
  ['a word', 'fast', 'kmh', null],
  ['nothing', undefined, 'kmh', null],
] as const)('a speed in %s', (_, sent, unit, read) => expect(speedOf(sent, unit)).toBe(read))

test.each([
  [0, 0],
  [359.5, 359.5],
  [360, 0],
  ['90', 90],
  [-1, null],
  [null, null],
  [1e300, null],
])('a heading of %s', (sent, read) => expect(headingOf(sent)).toBe(read))

test.each([
  [5, 5],
  ['12.5', 12.5],
  [0, null],
  [-1, null],
  [undefined, null],
])('an accuracy of %s', (sent, read) => expect(accuracyOf(sent)).toBe(read))

test.each([
  ['an IMEI', '861234567890123', '861234567890123'],
  ['a number', 861234567890123, '861234567890123'],
  ['blanks around it', ' b1 ', 'b1'],
  ['a text that is too long', 'x'.repeat(101), undefined],
  ['an empty text', '  ', undefined],
  ['a NUL', 'a\0b', undefined],
  ['half a letter', 'a\ud800', undefined],
  ['a fraction', 1.5, undefined],
  ['a list', ['b1'], undefined],
])('the id of %s', (_, sent, read) => expect(externalIdOf(sent)).toBe(read))

describe('a fix', () => {
  const sent: SentFix = {
    id: 'b1',
    time: NOON,
    latitude: '32.78',
    longitude: -96.8,
    speed: 15,
    unit: 'ms',
    heading: 90,
    accuracy: 4,
  }

  test('is read whole', () => {
    const fix = { truck: 'b1', at: NOON, latitude: 32.78, longitude: -96.8, speedKmh: 54, heading: 90, accuracyM: 4 }
    expect(normalizeFix(sent)).toEqual({ fix })
    expect(normalizeFix({ ...sent, isMoving: 'false', isValid: 'true', isOutdated: false })).toEqual({
      fix: { ...fix, isMoving: false },
    })
  })

  test('on the equator or on the meridian of Greenwich is one', () => {
    expect(normalizeFix({ ...sent, latitude: 0 })).toMatchObject({ fix: { latitude: 0, longitude: -96.8 } })
    expect(normalizeFix({ ...sent, longitude: 0 })).toMatchObject({ fix: { latitude: 32.78, longitude: 0 } })
  })

  test.each<[string, Partial<SentFix>, RegExp]>([
    ['an id', { id: undefined }, /id of the tracker/],
    ['a time', { time: 'soon' }, /time is missing/],
    ['a latitude', { latitude: 'north' }, /latitude or longitude is missing/],
    ['a longitude', { longitude: null }, /latitude or longitude is missing/],
    ['a place on earth', { latitude: 91 }, /outside of its range/],
    ['a longitude on earth', { longitude: -180.001 }, /outside of its range/],
    ['a fix', { isValid: false }, /no GPS fix/],
    ['a fix, by text', { isValid: 'false' }, /no GPS fix/],
    ['a place other than 0/0', { latitude: 0, longitude: '0' }, /no GPS fix/],
    ['a new place', { isOutdated: true }, /repeats an earlier place/],
  ])('without %s is none', (_, changed, problem) => {
    expect(normalizeFix({ ...sent, ...changed })).toMatchObject({ problem: expect.stringMatching(problem) })
  })
})
