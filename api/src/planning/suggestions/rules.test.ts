import type { SuggestionReason } from '@roadshow/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AskedShift,
  type DriverCandidate,
  type NeighborShift,
  screenNeedOf,
  suggestDrivers,
  suggestTrucks,
  type TruckCandidate,
} from './rules.ts'
import type { MarketPlace } from '../shifts/index.ts'

const HOUR = 3_600_000

const marketAt = (name: string, latitude: number, longitude: number): MarketPlace => ({
  uid: name.toLowerCase(),
  name,
  zone: 'America/Chicago',
  area: { latitude, longitude, radiusM: 40_000, outline: null },
  points: [{ latitude, longitude }],
})
const dallas = marketAt('Dallas', 32.78, -96.8)
const fortWorth = marketAt('Fort Worth', 32.75, -97.33)
const denver = marketAt('Denver', 39.74, -104.99)
const nowhere: MarketPlace = {
  ...marketAt('Nowhere', 0, 0),
  area: { latitude: null, longitude: null, radiusM: null, outline: null },
  points: [],
}

const sides = <T>(of: T) => ({ driverSide: of, passengerSide: of, rear: of })
const files = sides({ width: 400, height: 200 })

/** From hour 1,000 to hour 1,008, asked at hour 900. */
const asked: AskedShift = {
  market: dallas,
  programUid: 'summer',
  startsAt: 1000 * HOUR,
  endsAt: 1008 * HOUR,
  artwork: files,
  screenNeed: 'artwork',
  restGapHours: 10,
  overtimeAfterHours: 40,
  now: 900 * HOUR,
}

const shiftIn = (market: MarketPlace, from: number, to: number, programUid = 'other'): NeighborShift => ({
  market,
  programUid,
  startsAt: from * HOUR,
  endsAt: to * HOUR,
})

const aTruck = (name: string, more: Partial<TruckCandidate> = {}): TruckCandidate => ({
  uid: name,
  name,
  state: 'active',
  kind: 'led',
  homeMarket: dallas,
  panels: sides({ width: 400, height: 200 }),
  fix: undefined,
  before: undefined,
  after: undefined,
  refusal: undefined,
  ...more,
})

const aDriver = (name: string, more: Partial<DriverCandidate> = {}): DriverCandidate => ({
  uid: name,
  name,
  before: undefined,
  after: undefined,
  refusal: undefined,
  weekMinutes: 0,
  canSeeShifts: true,
  hasDeclined: false,
  ...more,
})

const refused = { text: 'T is not active: in shop.', bookedUntil: null }
const kindsOf = ({ reasons }: { reasons: SuggestionReason[] }) => reasons.map(({ kind }) => kind)
const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)
const reasonsOfTruck = (more: Partial<TruckCandidate>) => suggestTrucks([aTruck('T-1', more)], asked)[0]?.reasons ?? []
const reasonsOfDriver = (more: Partial<DriverCandidate>) =>
  suggestDrivers([aDriver('Dana', more)], asked)[0]?.reasons ?? []

describe('what is said about a truck', () => {
  test.each<[string, Partial<TruckCandidate>, SuggestionReason[]]>([
    ['at home', {}, [{ kind: 'homeMarket', market: 'Dallas', isHere: true }]],
    [
      'at home elsewhere, with the way from there',
      { homeMarket: denver },
      [
        { kind: 'homeMarket', market: 'Denver', isHere: false },
        { kind: 'travel', market: 'Denver', miles: 662, minutes: 883, isEnough: true },
      ],
    ],
    [
      'that ends in Denver the evening before, too late for the way',
      { homeMarket: undefined, before: shiftIn(denver, 980, 988) },
      [
        { kind: 'endsIn', market: 'Denver', at: '1970-02-11T04:00:00.000Z', zone: 'America/Chicago', isHere: false },
        { kind: 'travel', market: 'Denver', miles: 662, minutes: 883, isEnough: false },
      ],
    ],
    [
      'that ends next door, for the same program',
      { homeMarket: undefined, before: shiftIn(fortWorth, 980, 988, 'summer') },
      [
        {
          kind: 'endsIn',
          market: 'Fort Worth',
          at: '1970-02-11T04:00:00.000Z',
          zone: 'America/Chicago',
          isHere: false,
        },
        { kind: 'sameProgram' },
      ],
    ],
    [
      'whose position is known and newer than its last shift',
      {
        homeMarket: undefined,
        before: shiftIn(denver, 800, 808),
        fix: { latitude: 32.9, longitude: -96.9, at: 890 * HOUR },
      },
      [
        { kind: 'endsIn', market: 'Denver', at: '1970-02-03T16:00:00.000Z', zone: 'America/Chicago', isHere: false },
        { kind: 'position', market: 'Dallas', miles: 0 },
      ],
    ],
    [
      'whose position is older than its last shift',
      {
        homeMarket: undefined,
        before: shiftIn(dallas, 800, 808),
        fix: { latitude: 39, longitude: -104, at: 700 * HOUR },
      },
      [{ kind: 'endsIn', market: 'Dallas', at: '1970-02-03T16:00:00.000Z', zone: 'America/Chicago', isHere: true }],
    ],
    [
      'whose position is more than a week old',
      { homeMarket: undefined, fix: { latitude: 39, longitude: -104, at: 700 * HOUR } },
      [],
    ],
    [
      'that must be in Denver too soon afterwards',
      { homeMarket: undefined, after: shiftIn(denver, 1016, 1020) },
      [{ kind: 'travelAfter', market: 'Denver', miles: 662, minutes: 883, isEnough: false }],
    ],
    ['that must be in Denver two days later', { homeMarket: undefined, after: shiftIn(denver, 1056, 1060) }, []],
    [
      'whose last shift was in a market without a place',
      { homeMarket: nowhere },
      [{ kind: 'homeMarket', market: 'Nowhere', isHere: false }],
    ],
  ])('%s', (_, more, said) => {
    expect(reasonsOfTruck(more)).toEqual([{ kind: 'free' }, { kind: 'artwork', fit: 'exact' }, ...said])
  })

  test.each<[string, Partial<TruckCandidate>, SuggestionReason[]]>([
    ['scales', { panels: sides({ width: 200, height: 100 }) }, [{ kind: 'artwork', fit: 'scales' }]],
    ['has the wrong ratio', { panels: sides({ width: 100, height: 100 }) }, [{ kind: 'artwork', fit: 'wrongRatio' }]],
    ['is not known without a pixel map', { panels: null }, [{ kind: 'artwork', fit: 'unknown' }]],
  ])('its artwork %s', (_, more, said) => {
    expect(reasonsOfTruck({ homeMarket: undefined, ...more })).toEqual([{ kind: 'free' }, ...said])
  })

  test('without artwork says nothing of screens', () => {
    expect(kindsOf(suggestTrucks([aTruck('T-1')], { ...asked, artwork: null })[0] as never)).toEqual([
      'free',
      'homeMarket',
    ])
  })
  test.each([
    ['artwork', [{ kind: 'printed', need: 'artwork' }], false],
    ['plays', [{ kind: 'printed', need: 'plays' }], false],
    [undefined, [{ kind: 'free' }], true],
  ] as const)('without screens, where the shift needs them for %s', (screenNeed, reasons, isSuitable) => {
    const printed = aTruck('P-1', { kind: 'printed', panels: null, homeMarket: undefined })
    const shift = { ...asked, artwork: screenNeed === 'artwork' ? files : null, screenNeed }
    expect(suggestTrucks([printed], shift)).toMatchObject([{ refusal: null, isSuitable, reasons }])
  })
  test('that is refused says why, and not that it is free', () => {
    const booked = { text: 'The truck has another shift at that time: T-1.', bookedUntil: 1004 * HOUR }
    expect(suggestTrucks([aTruck('T-1', { refusal: booked })], asked)[0]).toMatchObject({
      refusal: booked.text,
      bookedUntil: '1970-02-11T20:00:00.000Z',
      reasons: [{ kind: 'homeMarket' }],
    })
  })
})

test('screens are needed for artwork, and for plays that are booked in the market on the day', () => {
  const bookedPlays = [{ marketUid: 'dallas', startsOn: '2026-07-01', endsOn: '2026-07-31' }]
  const needOf = (hasArtwork: boolean, marketUid: string, date: string) =>
    screenNeedOf({ hasArtwork, bookedPlays }, { marketUid, date })
  expect(needOf(true, 'denver', '2026-01-01')).toBe('artwork')
  expect(['2026-06-30', '2026-07-01', '2026-07-31', '2026-08-01'].map((day) => needOf(false, 'dallas', day))).toEqual([
    undefined,
    'plays',
    'plays',
    undefined,
  ])
  expect(needOf(false, 'denver', '2026-07-15')).toBeUndefined()
})

describe('what is said about a driver', () => {
  const week: SuggestionReason = { kind: 'weekHours', minutes: 480, limitMinutes: 2400 }
  const endsInDallas = (at: string): SuggestionReason => ({
    kind: 'endsIn',
    market: 'Dallas',
    at,
    zone: 'America/Chicago',
    isHere: true,
  })
  test.each<[string, Partial<DriverCandidate>, SuggestionReason[]]>([
    ['without any shift', {}, [week]],
    ['with hours this week', { weekMinutes: 1800 }, [{ ...week, minutes: 2280 }]],
    [
      'with 7 hours of rest',
      { before: shiftIn(dallas, 985, 993) },
      [{ kind: 'rest', minutes: 420, isShort: true }, week, endsInDallas('1970-02-11T09:00:00.000Z')],
    ],
    [
      'with exactly the rest that the settings ask for',
      { before: shiftIn(dallas, 982, 990) },
      [{ kind: 'rest', minutes: 600, isShort: false }, week, endsInDallas('1970-02-11T06:00:00.000Z')],
    ],
    [
      'with days of rest, which are no news',
      { before: shiftIn(dallas, 900, 908) },
      [week, endsInDallas('1970-02-07T20:00:00.000Z')],
    ],
    [
      'whose next shift would begin too soon',
      { after: shiftIn(dallas, 1012, 1020) },
      [{ kind: 'restAfter', minutes: 240 }, week],
    ],
    ['who cannot see shifts', { canSeeShifts: false }, [{ kind: 'noSchedule' }, week]],
    ['who declined this shift', { hasDeclined: true }, [{ kind: 'declined' }, week]],
    [
      'who is in Denver until shortly before',
      { before: shiftIn(denver, 980, 989) },
      [
        { kind: 'rest', minutes: 660, isShort: false },
        week,
        { kind: 'endsIn', market: 'Denver', at: '1970-02-11T05:00:00.000Z', zone: 'America/Chicago', isHere: false },
        { kind: 'travel', market: 'Denver', miles: 662, minutes: 883, isEnough: false },
      ],
    ],
  ])('%s', (_, more, said) => expect(reasonsOfDriver(more)).toEqual([{ kind: 'free' }, ...said]))
})

describe('the order', () => {
  test('of trucks: time for the way, artwork, distance, home, program, number', () => {
    const trucks = [
      aTruck('refused', { refusal: refused }),
      aTruck('printed', { kind: 'printed', panels: null }),
      aTruck('no time', { before: shiftIn(denver, 980, 990) }),
      aTruck('wrong ratio', { panels: sides({ width: 1, height: 1 }) }),
      aTruck('in Denver', { before: shiftIn(denver, 800, 808) }),
      aTruck('place unknown', { homeMarket: undefined }),
      aTruck('next door', { before: shiftIn(fortWorth, 980, 988) }),
      aTruck('guest', { homeMarket: denver, before: shiftIn(dallas, 980, 988) }),
      aTruck('T-10'),
      aTruck('T-9'),
      aTruck('same program', { before: shiftIn(dallas, 980, 988, 'summer') }),
    ]
    expect(namesOf(suggestTrucks(trucks, asked))).toEqual([
      'same program',
      'T-9',
      'T-10',
      'guest',
      'next door',
      'place unknown',
      'in Denver',
      'wrong ratio',
      'no time',
      'printed',
      'refused',
    ])
  })

  test('of drivers: reachable, time for the way, rest, around, overtime, distance, fewest hours, name', () => {
    const near = { before: shiftIn(dallas, 900, 908) }
    const drivers = [
      aDriver('refused', { refusal: refused }),
      aDriver('declined', { hasDeclined: true }),
      aDriver('no module', { canSeeShifts: false }),
      aDriver('no time', { before: shiftIn(denver, 980, 989) }),
      aDriver('tired', { before: shiftIn(dallas, 985, 993) }),
      aDriver('overtime', { ...near, weekMinutes: 2000 }),
      aDriver('in Denver', { before: shiftIn(denver, 900, 908) }),
      aDriver('new'),
      aDriver('busy', { ...near, weekMinutes: 1500 }),
      aDriver('Zoe', near),
      aDriver('Ana', near),
    ]
    expect(namesOf(suggestDrivers(drivers, asked))).toEqual([
      'Ana',
      'Zoe',
      'busy',
      'new',
      'overtime',
      'in Denver',
      'tired',
      'no time',
      'declined',
      'no module',
      'refused',
    ])
  })

  test('holds everyone once, refused ones last, whatever order they come in', () => {
    const before = fc.option(
      fc.constantFrom(shiftIn(dallas, 980, 988), shiftIn(denver, 970, 990), shiftIn(nowhere, 1, 9)),
      {
        nil: undefined,
      },
    )
    const candidate = fc.record({
      uid: fc.uuid(),
      name: fc.string({ maxLength: 3 }),
      refusal: fc.option(fc.constant(refused), { nil: undefined }),
      weekMinutes: fc.integer({ min: 0, max: 4000 }),
      homeMarket: fc.constantFrom(dallas, denver, undefined),
      before,
    })
    const candidates = fc.uniqueArray(candidate, { selector: ({ uid }) => uid, maxLength: 12 })
    fc.assert(
      fc.property(candidates, fc.infiniteStream(fc.nat()), (given, order) => {
        const shuffled = given.map((each) => ({ each, at: order.next().value })).toSorted((a, b) => a.at - b.at)
        for (const rank of [
          (of: typeof given) =>
            suggestTrucks(
              of.map((each) => aTruck(each.name, each)),
              asked,
            ),
          (of: typeof given) =>
            suggestDrivers(
              of.map((each) => aDriver(each.name, each)),
              asked,
            ),
        ]) {
          const rows = rank(given)
          expect(rows).toEqual(rank(shuffled.map(({ each }) => each)))
          expect(rows.map(({ uid }) => uid).toSorted()).toEqual(given.map(({ uid }) => uid).toSorted())
          const isRefused = rows.map(({ refusal }) => refusal !== null)
          expect(isRefused).toEqual(isRefused.toSorted((a, b) => Number(a) - Number(b)))
          for (const row of rows) expect(kindsOf(row).includes('free')).toBe(row.refusal === null)
        }
      }),
    )
  })

  test('of hours that clocks skip compares nothing', () => {
    const skipped = { ...asked, startsAt: Number.NaN }
    expect(suggestTrucks([aTruck('T-2'), aTruck('T-1')], skipped).map(kindsOf)).toEqual([
      ['homeMarket'],
      ['homeMarket'],
    ])
    expect(suggestDrivers([aDriver('Dana')], skipped)[0]?.reasons).toEqual([])
  })
})
