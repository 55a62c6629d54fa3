import { describe, expect, test } from 'vitest'
import { areaOnSide, fitOf, fitOfSet } from './artwork.ts'

const size = (width: number, height: number) => ({ width, height })

describe('a file meets the side of a truck', () => {
  test.each([
    ['exact', size(640, 320), size(640, 320)],
    ['scales', size(1280, 640), size(640, 320)],
    ['scales', size(320, 160), size(640, 320)],
    ['scales', size(1366, 683), size(640, 320)],
    ['scales', size(2560, 1280), size(640, 320)],
    ['tooLarge', size(2561, 1280), size(640, 320)],
    ['tooLarge', size(6400, 3200), size(640, 320)],
    ['wrongRatio', size(320, 640), size(640, 320)],
    ['wrongRatio', size(640, 324), size(640, 320)],
    ['wrongRatio', size(9000, 3200), size(640, 320)],
  ])('%s: %o on %o', (fit, file, panel) => expect(fitOf(file, panel)).toBe(fit))

  test('unknown while one of them has no size', () => {
    expect(fitOf(null, size(1, 1))).toBe('unknown')
    expect(fitOf(size(1, 1), undefined)).toBe('unknown')
    expect(fitOf({ width: null, height: null }, size(1, 1))).toBe('unknown')
  })
})

describe('a file covers of a side', () => {
  test.each([
    ['all if it is exact', size(640, 320), { x: 0, y: 0, width: 640, height: 320 }],
    ['all if it scales', size(1366, 683), { x: 0, y: 0, width: 640, height: 320 }],
    ['all if it is too large', size(6400, 3200), { x: 0, y: 0, width: 640, height: 320 }],
    ['the middle if it is too tall', size(320, 640), { x: 240, y: 0, width: 160, height: 320 }],
    ['the middle if it is too wide', size(1280, 320), { x: 0, y: 80, width: 640, height: 160 }],
    ['at least one pixel', size(1, 4000), { x: 319, y: 0, width: 1, height: 320 }],
  ])('%s', (_, file, area) => expect(areaOnSide(file, size(640, 320))).toEqual(area))
})

test('a set meets a truck as its worst side does', () => {
  const panels = { driverSide: size(640, 320), passengerSide: size(640, 320), rear: size(320, 320) }
  const files = { driverSide: size(640, 320), passengerSide: size(1280, 640), rear: size(320, 320) }
  expect(fitOfSet(files, panels)).toEqual({
    fit: 'scales',
    sides: { driverSide: 'exact', passengerSide: 'scales', rear: 'exact' },
  })
  expect(fitOfSet({ ...files, rear: size(640, 320) }, panels).fit).toBe('wrongRatio')
  expect(fitOfSet({ ...files, rear: null }, panels).fit).toBe('unknown')
  expect(fitOfSet(files, null).fit).toBe('unknown')
})
