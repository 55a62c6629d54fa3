import { describe, expect, test } from 'vitest'
import { checkNewZone, earliestZoneDay, zonesAfter } from './rules.ts'

const [CHICAGO, DENVER, PHOENIX] = ['America/Chicago', 'America/Denver', 'America/Phoenix']
const always = { name: 'Dallas', zone: CHICAGO, earlierZones: [] }
const changing = { name: 'Dallas', zone: DENVER, earlierZones: [{ zone: CHICAGO, until: '2026-12-01' }] }

describe('the zones after a change', () => {
  test.each([
    ['the first change keeps the zone before', always, DENVER, '2026-12-01', [[CHICAGO, '2026-12-01']]],
    [
      'a later one adds to it',
      changing,
      PHOENIX,
      '2027-01-01',
      [
        [CHICAGO, '2026-12-01'],
        [DENVER, '2027-01-01'],
      ],
    ],
    ['an earlier one replaces it', changing, PHOENIX, '2026-11-20', [[CHICAGO, '2026-11-20']]],
    ['one of the same day replaces it', changing, PHOENIX, '2026-12-01', [[CHICAGO, '2026-12-01']]],
    ['a planned one can be taken back', changing, CHICAGO, '2026-11-20', []],
    [
      'back to an earlier zone after a while',
      changing,
      CHICAGO,
      '2027-01-01',
      [
        [CHICAGO, '2026-12-01'],
        [DENVER, '2027-01-01'],
      ],
    ],
    ['the zone it has changes nothing', changing, DENVER, '2027-01-01', [[CHICAGO, '2026-12-01']]],
  ] as const)('%s', (_, market, zone, from, earlier) =>
    expect(zonesAfter({ ...market, earlierZones: [...market.earlierZones] }, { zone, from })).toEqual({
      zone,
      earlierZones: earlier.map(([before, until]) => ({ zone: before, until })),
    }),
  )
})

test.each([
  ['today without any shift', null, null, '2026-11-19'],
  ['today after shifts of other days', '2026-11-18', '2026-11-08', '2026-11-19'],
  ['the day after a shift of today', '2026-11-19', null, '2026-11-20'],
  ['the day after locked pay', '2026-11-20', '2026-11-22', '2026-11-23'],
])('the earliest day is %s', (_, lastShift, lastLocked, day) =>
  expect(earliestZoneDay({ today: '2026-11-19', lastShift, lastLocked })).toBe(day),
)

test.each([
  [
    'an earlier day',
    DENVER,
    '2026-11-18',
    'Another time zone can hold from Nov 19, 2026 at the earliest: past shifts keep their times.',
  ],
  ['the same zone', CHICAGO, '2026-11-19', 'Dallas already has this time zone from that day on.'],
  ['another zone', DENVER, '2026-11-19', undefined],
])('%s: %s from %s', (_, zone, from, problem) =>
  expect(checkNewZone(always, { zone, from }, '2026-11-19')).toBe(problem),
)
