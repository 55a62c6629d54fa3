import states from 'us-atlas/states-10m.json?raw'
import { expect, test } from 'vitest'
import { areasOf } from './states.ts'
import type { StateTopology } from './states.ts'

test('borders are put together from arcs, some of them backwards', () => {
  const topology: StateTopology = {
    transform: { scale: [0.5, 2], translate: [-100, 30] },
    arcs: [
      [
        [0, 0],
        [2, 1],
      ],
      [
        [0, 0],
        [4, 0],
        [-2, 1],
      ],
    ],
    objects: { states: { geometries: [{ type: 'Polygon', arcs: [[1, -1]] }] } },
  }
  expect(areasOf(topology)).toEqual([
    [
      [
        [30, -100],
        [30, -98],
        [32, -99],
        [32, -99],
        [30, -100],
      ],
    ],
  ])
})

test('the states reach from Hawaii to Maine', () => {
  const places = areasOf(JSON.parse(states) as StateTopology).flat(2)
  expect(places.length).toBeGreaterThan(10_000)
  const mainland = places.filter(([latitude, longitude]) => latitude > 24 && latitude < 49.5 && longitude > -125)
  expect(Math.max(...mainland.map(([, longitude]) => longitude))).toBeCloseTo(-66.95, 1)
  expect(Math.min(...mainland.map(([latitude]) => latitude))).toBeCloseTo(24.5, 0)
})
