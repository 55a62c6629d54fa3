import { describe, expect, test } from 'vitest'
import { parseTraffic, trafficIndex } from './traffic.ts'

const road = (properties: object, coordinates: unknown, type = 'LineString') => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})
const fileOf = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
const LINE = [
  [-96.8, 32.7],
  [-96.8, 32.75],
]

describe('a file of counted roads', () => {
  test('is read with the names that agencies use', () => {
    const file = fileOf(
      road({ name: 'Elm Street', dailyVehicles: 12_000.4 }, LINE),
      road({ AADT: '8100', ROUTE: 'SH 5' }, [LINE, LINE], 'MultiLineString'),
    )
    expect(parseTraffic(file)).toEqual([
      { name: 'Elm Street', dailyVehicles: 12_000, line: LINE },
      { name: 'SH 5', dailyVehicles: 8100, line: LINE },
      { name: 'SH 5', dailyVehicles: 8100, line: LINE },
    ])
  })

  test.each([
    ['The file is not JSON.', '{'],
    ['Must be a GeoJSON file with a FeatureCollection.', '[]'],
    ['Must be a GeoJSON file with a FeatureCollection.', 'null'],
    ['The file has no roads.', fileOf()],
    ['Feature 1 has no line.', fileOf(null)],
    [
      'Feature 2 must be a LineString or a MultiLineString.',
      fileOf(road({ aadt: 1 }, LINE), road({ aadt: 1 }, [1, 2], 'Point')),
    ],
    ['Feature 1 has no daily count. Name it dailyVehicles or aadt.', fileOf(road({}, LINE))],
    ['Feature 1 has a daily count that is not a number from 0 to 1,000,000.', fileOf(road({ aadt: 'many' }, LINE))],
    ['Feature 1 has a daily count that is not a number from 0 to 1,000,000.', fileOf(road({ aadt: -1 }, LINE))],
    ['Feature 1 has a daily count that is not a number from 0 to 1,000,000.', fileOf(road({ aadt: [5] }, LINE))],
    ['Feature 1 has a line without two points.', fileOf(road({ aadt: 1 }, LINE.slice(1)))],
    [
      'Feature 1 has a point without longitude and latitude.',
      fileOf(
        road({ aadt: 1 }, [
          ['a', 'b'],
          [1, 2],
        ]),
      ),
    ],
    [
      'Feature 1 has a point outside the earth. Points must be longitude and latitude in degrees.',
      fileOf(
        road({ aadt: 1 }, [
          [2_485_000, 6_960_000],
          [2_485_001, 6_960_001],
        ]),
      ),
    ],
    [
      'Feature 1 has two neighboring points more than 10 miles apart.',
      fileOf(
        road({ aadt: 1 }, [
          [-96.8, 32.7],
          [-96.8, 33.7],
        ]),
      ),
    ],
    [
      'At most 5,000 lines.',
      fileOf(
        road(
          { aadt: 1 },
          Array.from({ length: 5001 }, () => LINE),
          'MultiLineString',
        ),
      ),
    ],
  ])('%s', (sentence, text) => expect(parseTraffic(text)).toBe(sentence))
})

describe('the count at a place', () => {
  const METER = 1 / 111_195
  const countAt = trafficIndex([
    {
      name: 'A',
      dailyVehicles: 100,
      line: [
        [-96.8, 32.7],
        [-96.8, 32.8],
      ],
    },
    {
      name: 'B',
      dailyVehicles: 200,
      line: [
        [-96.79, 32.7],
        [-96.79, 32.8],
      ],
    },
    {
      name: 'Busier, beside B',
      dailyVehicles: 300,
      line: [
        [-96.79, 32.7],
        [-96.79, 32.8],
      ],
    },
  ])
  const east = (meters: number, longitude = -96.8) => ({
    latitude: 32.7512,
    longitude: longitude + (meters * METER) / Math.cos((32.7512 * Math.PI) / 180),
  })

  test.each([
    ['on the road', east(0), 100],
    ['29 m beside it', east(29), 100],
    ['31 m beside it', east(31), undefined],
    ['on two roads: the busier one', east(-5, -96.79), 300],
    ['beyond its end', { latitude: 32.8 + 40 * METER, longitude: -96.8 }, undefined],
  ])('%s', (_, place, count) => expect(countAt(place)).toBe(count))

  test('is found along the whole of a long leg, in whatever cell', () => {
    for (let latitude = 32.7; latitude <= 32.8; latitude += 0.0007)
      expect(countAt({ latitude, longitude: -96.8 })).toBe(100)
  })
})
