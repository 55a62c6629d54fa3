import { metersBetween } from '@roadshow/contract/platform/geo'
import { expect, test } from 'vitest'
import type { RoadMap } from './DrawnRoads.ts'
import text from './us-roads.json?raw'

const { cities, roads } = JSON.parse(text) as RoadMap

test('the outline of roads is small', () => {
  expect(text.length).toBeLessThan(60_000)
})

test('its cities are in the United States, each once, with a rank', () => {
  expect(cities.length).toBeGreaterThan(150)
  expect(new Set(cities.map(([name]) => name)).size).toBe(cities.length)
  for (const [name, latitude, longitude, rank] of cities) {
    expect(latitude > 17 && latitude < 72 && longitude > -180 && longitude < -64, name).toBe(true)
    expect([1, 2, 3, 4, 5], name).toContain(rank)
  }
})

test('its highways go from place to place without a leap, and where they are well known', () => {
  for (const [name, points] of roads) {
    expect(points.length % 2, name).toBe(0)
    for (let index = 0; index + 3 < points.length; index += 2) {
      const [latitude = 0, longitude = 0, nextLatitude = 0, nextLongitude = 0] = points.slice(index, index + 4)
      const meters = metersBetween({ latitude, longitude }, { latitude: nextLatitude, longitude: nextLongitude })
      // A digit that is wrong would send a highway across the country.
      expect(meters > 1000 && meters < 450_000, `${name} at ${latitude}, ${longitude}`).toBe(true)
    }
  }
  const named = new Map(roads.map(([name, points]) => [name, points]))
  expect(named.get('I-90')?.slice(0, 2)).toEqual([47.61, -122.33])
  expect(named.get('I-90')?.slice(-2)).toEqual([42.36, -71.06])
})
