import { describe, expect, test } from 'vitest'
import { FIX_COVERS_MS, fixesPlacing, gradeDistance, metersToSection, placeAt, trackSectionAt } from './rules.ts'
import { independentOf } from './sources.ts'

const NOON = Date.parse('2026-07-01T17:00:00Z')
const DALLAS = { latitude: 32.78, longitude: -96.8 }
const north = (meters: number) => ({ ...DALLAS, latitude: DALLAS.latitude + meters / 111_195 })
const fix = (seconds: number, meters = 0) => ({ at: NOON + seconds * 1000, ...north(meters) })

test.each([
  [0, 'verified'],
  [300, 'verified'],
  [301, 'unverified'],
  [2000, 'unverified'],
  [2001, 'conflict'],
] as const)('a claim %d meters from the track is %s', (meters, grade) =>
  expect(gradeDistance(meters, { agreesM: 300, contradictsM: 2000 })).toBe(grade),
)

describe('the place of a truck at a moment', () => {
  test.each([
    ['between two fixes', [fix(-30), fix(10, 400)], 300],
    ['at the last fix', [fix(-30, 100)], 100],
    ['at the next fix', [fix(60, 100)], 100],
  ])('is %s', (_, track, meters) => {
    expect(placeAt(track, NOON)?.latitude).toBeCloseTo(north(meters).latitude, 6)
  })

  test.each([
    ['a fix that covers it', [fix(-61), fix(61)]],
    ['a track', []],
  ])('is unknown without %s', (_, track) => expect(placeAt(track, NOON)).toBeUndefined())
})

describe('the section of a track at a moment', () => {
  test('holds the fixes that cover it', () => {
    const [near, far] = [fix(FIX_COVERS_MS / 1000), fix(FIX_COVERS_MS / 1000 + 1)]
    expect(trackSectionAt([near, far], NOON)).toEqual([near])
  })

  test('holds both ends of a silence where the truck stood, and nothing where it drove on', () => {
    expect(trackSectionAt([fix(-900), fix(1200, 149)], NOON)).toHaveLength(2)
    expect(trackSectionAt([fix(-900), fix(1200, 151)], NOON)).toBeUndefined()
    expect(trackSectionAt([fix(-900)], NOON)).toBeUndefined()
  })

  test('is as near as its nearest point, also between two fixes', () => {
    expect(metersToSection([fix(-30), fix(30, 1200)], north(600))).toBeCloseTo(0, 3)
    expect(metersToSection([fix(0)], north(600))).toBeCloseTo(600, 0)
  })
})

test('a device never verifies its own evidence, and each is evidence for the other', () => {
  const [tracker, phone, player] = [
    { ...fix(-20), by: null },
    { ...fix(0), by: 'phone' as const },
    { ...fix(20), by: 'player' as const },
  ]
  const track = [tracker, phone, player]
  expect(independentOf('player', track)).toEqual([tracker, phone])
  expect(independentOf('phone', track)).toEqual([tracker, player])
})

test('the fixes that place a truck are those before and after, as far as they cover the moment', () => {
  const track = [fix(-90), fix(-30), fix(50), fix(55)]
  expect(fixesPlacing(track, NOON)).toEqual([fix(-30), fix(50)])
  expect(fixesPlacing(track, NOON + 60_000)).toEqual([fix(55)])
  expect(fixesPlacing(track, NOON - 150_000)).toEqual([fix(-90)])
  expect(fixesPlacing(track, NOON + 200_000)).toEqual([])
})
