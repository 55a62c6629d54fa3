import { describe, expect, test } from 'vitest'
import { sdInitialState, wantedPlace, withSdFix } from './smart-directional.ts'
import type { TrackPoint } from '../platform/geo.ts'
import type { SdState } from './smart-directional.ts'

const METER = 1 / 111_195
const north = (meters: number) => ({ latitude: 32.78 + meters * METER, longitude: -96.8 })
const shop = { uid: 'shop', radiusM: 1000, ...north(0) }
const mall = { uid: 'mall', radiusM: 1000, ...north(1500) }
const places = [shop, mall]

const fixes = (meters: number[], speedKmh: number | null = 36, every = 10): TrackPoint[] =>
  meters.map((at, index) => ({ at: index * every * 1000, speedKmh, ...north(at) }))

/** What is shown after each fix. */
function shownAlong(track: TrackPoint[]): (string | null)[] {
  const shown: (string | null)[] = []
  let state: SdState = sdInitialState
  for (const fix of track) {
    state = withSdFix(state, fix, places)
    shown.push(state.shown)
  }
  return shown
}
const steps = (from: number, to: number, by: number) =>
  Array.from(
    { length: Math.floor(Math.abs(to - from) / by) + 1 },
    (_, index) => from + Math.sign(to - from) * index * by,
  )

describe('the address that is shown', () => {
  test('is the nearest in range, once two fixes agree', () => {
    expect(shownAlong(fixes([-1190, -1090, -990, -890, -790]))).toEqual([null, null, null, 'shop', 'shop'])
  })

  test('changes only when another is clearly nearer', () => {
    expect(wantedPlace(north(800), places, 'shop')).toBe('shop')
    expect(wantedPlace(north(850), places, 'shop')).toBe('mall')
    expect(wantedPlace(north(760), places, 'mall')).toBe('mall')
    const along = shownAlong(fixes(steps(-900, 2400, 100)))
    expect([...new Set(along)]).toEqual([null, 'shop', 'mall'])
  })

  test('is left a little outside of its range, for the fallback', () => {
    const away = shownAlong(fixes([...steps(0, -1400, 100), -1500]))
    expect(away.filter((shown) => shown === 'shop').length).toBeGreaterThan(10)
    expect(away.at(-1)).toBeNull()
    expect(wantedPlace(north(-1100), places, 'shop')).toBe('shop')
    expect(wantedPlace(north(-1100), places, null)).toBeNull()
  })

  test('stays for a while', () => {
    const back = shownAlong(fixes([-500, -500, 1500, 1500, 1500], 120, 12))
    expect(back).toEqual([null, 'shop', 'shop', 'shop', 'mall'])
  })
})

describe('a parked truck', () => {
  test('whose fixes jump 200 m at the edge of a range does not flicker', () => {
    const jumping = Array.from({ length: 500 }, (_, index) => (index % 3 === 0 ? -900 : -1100))
    const shown = shownAlong(fixes(jumping, 0))
    expect(shown.slice(3).filter((each, index, all) => index > 0 && each !== all[index - 1])).toEqual([])
  })

  test('between two addresses does not flicker either', () => {
    const jumping = Array.from({ length: 500 }, (_, index) => 750 + (index % 2 === 0 ? 100 : -100))
    const changes = shownAlong(fixes(jumping, 0)).filter((each, index, all) => index > 0 && each !== all[index - 1])
    expect(changes.length).toBeLessThanOrEqual(1)
  })
})

test('a truck that was carried on unheard is believed once it reports speed twice', () => {
  const track = [...fixes([-5000, -5000], 0), ...fixes([0, 50], 36).map((fix) => ({ ...fix, at: fix.at + 30_000 }))]
  expect(shownAlong([...track, { ...fixes([100])[0]!, at: 60_000 }, { ...fixes([150])[0]!, at: 70_000 }]).at(-1)).toBe(
    'shop',
  )
})

test('the same fix twice changes nothing', () => {
  const [first, second] = fixes([-990, -900])
  const once = withSdFix(withSdFix(sdInitialState, first!, places), second!, places)
  expect(withSdFix(withSdFix(once, second!, places), first!, places)).toEqual(once)
})
