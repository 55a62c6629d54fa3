import { formatRadius } from '@roadshow/contract/platform/distance'
import { expect, test } from 'vitest'
import { scaleOf } from './MapScale.tsx'

test.each([
  [0.5, '100 ft'],
  [3, '500 ft'],
  [10, '0.5 mi'],
  [300, '10 mi'],
  [20_000, '1,000 mi'],
  [90_000, '1,000 mi'],
])('the scale of a map with %d meters to a pixel is %s', (metersPerPixel, text) => {
  const { meters, width } = scaleOf(metersPerPixel)
  expect(formatRadius(meters)).toBe(text)
  expect(width).toBeGreaterThan(10)
  expect(width).toBeLessThanOrEqual(90)
})
