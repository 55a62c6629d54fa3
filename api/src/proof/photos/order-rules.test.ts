import { expect, test } from 'vitest'
import { isGapTooSmall, POSITION_STEP, positionAfter, positionIn, type PositionGap } from './order-rules.ts'

test.each<[string, PositionGap, number]>([
  ['between two photos', { after: 1024, before: 2048 }, 1536],
  ['in front of the first photo', { after: null, before: 1024 }, 0],
  ['in front of a photo that was moved to the front before', { after: null, before: -1024 }, -2048],
])('a photo is put %s', (_, gap, position) => {
  expect(positionIn(gap)).toBe(position)
})

test('a photo at the end comes a step after the last one, and the first photo at the first step', () => {
  expect(positionAfter(null)).toBe(POSITION_STEP)
  expect(positionAfter(5000.5)).toBe(6024.5)
})

test.each<[PositionGap, boolean]>([
  [{ after: null, before: 0 }, false],
  [{ after: 1024, before: 2048 }, false],
  [{ after: 1, before: 1.0001 }, false],
  [{ after: 1, before: 1.0000001 }, true],
  [{ after: 1, before: 1 }, true],
])('whether the gap %o is too small is %s', (gap, isTooSmall) => {
  expect(isGapTooSmall(gap)).toBe(isTooSmall)
})

test('a gap is halved dozens of times before it is too small', () => {
  let gap: PositionGap = { after: 1024, before: 2048 }
  let halved = 0
  for (; !isGapTooSmall(gap); halved++) gap = { after: gap.after, before: positionIn(gap) }
  expect(halved).toBeGreaterThan(24)
})
