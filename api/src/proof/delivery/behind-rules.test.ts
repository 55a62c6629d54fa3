import { expect, test } from 'vitest'
import { isBehind } from './behind-rules.ts'

test.each([
  ['with too few hours to tell', { planned: 12, driven: 0 }, false, false],
  ['below 90%', { planned: 100, driven: 89.9 }, false, true],
  ['at 90%', { planned: 100, driven: 90 }, false, false],
  ['at 91% after it was said to be behind', { planned: 100, driven: 91 }, true, true],
])('a program is behind or not: %s', (_, hours, isKnown, expected) => {
  expect(isBehind(hours, isKnown)).toBe(expected)
})
