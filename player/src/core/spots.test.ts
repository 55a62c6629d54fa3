import type { PlayerSet } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { PICTURE_MS, spotLengthMs } from '@roadshow/contract/planning/loop-lines'
import { turnAt } from '@roadshow/contract/planning/loop-rules'
import { addressSceneOf, cutsSpot, shiftAt, spotPlanOf, turnSceneOf } from './spots.ts'
import { HOUR, setOf, shiftOf, START } from './test-manifest.ts'

const isReady = () => true
const surroundings = { place: null, isReady, pictureMs: PICTURE_MS }
const onlyReady =
  (...names: string[]) =>
  (set: PlayerSet) =>
    names.includes(set.name)

describe('the length of a spot', () => {
  test.each([
    ['pictures', 15_000, null, setOf('pictures')],
    ['the program’s seconds', 8000, 8000, setOf('videos', [20_000, 30_000, null])],
    ['the longest video', 30_000, null, setOf('videos', [20_000, 30_000, null])],
    ['never shorter than a play that counts', 500, null, setOf('videos', [40, null, null])],
  ])('%s: %i ms', (_, expected, spotMs, set) => expect(spotLengthMs(spotMs, set)).toBe(expected))
})

describe('the shift at a moment', () => {
  const plan = spotPlanOf({
    shifts: [shiftOf({ uid: 'late', from: HOUR, to: 3 * HOUR }), shiftOf({ uid: 'early', from: 0, to: 2 * HOUR })],
  })
  test.each([
    [-1, undefined],
    [0, 'early'],
    [HOUR - 1, 'early'],
    [HOUR, 'late'],
    [3 * HOUR - 1, 'late'],
    [3 * HOUR, undefined],
  ])('%i ms after the start: %s', (after, uid) => expect(shiftAt(plan, START + after)?.uid).toBe(uid))
})

describe('a screen shows', () => {
  const house = setOf('house')
  const addresses = [
    { uid: 'shop', label: '', latitude: 0, longitude: 0, radiusM: 500, artwork: setOf('shop') },
    { uid: 'park', label: '', latitude: 0, longitude: 0, radiusM: 500, artwork: null },
  ]
  const shown = (
    given: Parameters<typeof shiftOf>[0],
    place: string | null,
    ready: (set: PlayerSet) => boolean = isReady,
  ) => {
    const [shift] = spotPlanOf({ shifts: [shiftOf({ addresses, ...given })] }).shifts
    if (!shift) return undefined
    const here = { ...surroundings, place, isReady: ready }
    const scene = addressSceneOf(shift, here) ?? turnSceneOf(shift, turnAt(shift.loop, START, place), house, here)
    return scene && [scene.set.name, scene.addressUid]
  }
  test.each([
    ['the shift’s artwork away from every address', {}, null, isReady, ['own', null]],
    ['the artwork of an address', {}, 'shop', isReady, ['shop', 'shop']],
    ['the shift’s artwork for an address without artwork', {}, 'park', isReady, ['own', 'park']],
    ['the shift’s artwork while files of the address are missing', {}, 'shop', onlyReady('own'), ['own', null]],
    ['the house’s artwork where nothing is approved', { artwork: null }, 'park', isReady, ['house', null]],
    ['the house’s artwork while files of the shift are missing', {}, null, onlyReady('house'), ['house', null]],
    ['nothing while all files are missing', {}, null, onlyReady(), undefined],
    ['nothing for an address that the plan no longer has', {}, 'gone', onlyReady('shop'), undefined],
  ])('%s', (_, given, place, ready, expected) => expect(shown(given, place, ready)).toEqual(expected))
})

test('another shift, another address or nothing cuts a spot; another set waits for its end', () => {
  const given = { shiftUid: 'one', shiftEndsAt: 1, set: setOf('own'), addressUid: null, spotMs: 15_000 }
  const running = { ...given, endsBy: Infinity }
  expect(cutsSpot(running, { ...running, set: setOf('other') })).toBe(false)
  expect(cutsSpot(running, { ...running, shiftUid: 'two' })).toBe(true)
  expect(cutsSpot(running, { ...running, addressUid: 'shop' })).toBe(true)
  expect(cutsSpot(running, undefined)).toBe(true)
})
