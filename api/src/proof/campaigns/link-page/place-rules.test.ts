import type { Depot, TrackPoint } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { publicPlace } from './place-rules.ts'

const YARD: Depot = { name: 'Yard', latitude: 32.78, longitude: -96.8, radiusM: 400 }
const METER = 1 / 111_195
const fixAt = (metersNorth: number, at = 1, speedKmh: number | null = 40): TrackPoint => ({
  at,
  latitude: YARD.latitude + metersNorth * METER,
  longitude: YARD.longitude,
  speedKmh,
})
const placeOf = (recent: TrackPoint[], ends: { start?: TrackPoint; end?: TrackPoint } = {}) =>
  publicPlace({ recent, start: ends.start, end: ends.end }, [YARD])

test('a truck on the road is shown with where it heads', () => {
  const place = placeOf([fixAt(5000, 1), fixAt(5200, 2)])
  expect(place).toMatchObject({ at: 2, isMoving: true, heading: 0 })
  expect(placeOf([fixAt(5200, 1), fixAt(5000, 2)])).toMatchObject({ heading: 180 })
})

test('a truck that stands has no direction', () => {
  expect(placeOf([fixAt(5000, 1, 0), fixAt(5001, 2, 0)])).toMatchObject({ isMoving: false, heading: null })
  expect(placeOf([fixAt(5000, 1, null)])).toMatchObject({ isMoving: false })
})

test('a truck near a depot is not shown, also just outside of a small one', () => {
  expect(placeOf([fixAt(100)])).toBeUndefined()
  expect(placeOf([fixAt(480)])).toBeUndefined()
  expect(placeOf([fixAt(520)])).toBeDefined()
})

test('a truck is not shown where its shift began, nor where it ended', () => {
  expect(placeOf([fixAt(5100)], { start: fixAt(5000) })).toBeUndefined()
  expect(placeOf([fixAt(5400)], { start: fixAt(5000) })).toBeDefined()
  expect(placeOf([fixAt(9000)], { start: fixAt(5000), end: fixAt(9200) })).toBeUndefined()
})

test('a truck without a fix is not shown', () => {
  expect(placeOf([])).toBeUndefined()
})
