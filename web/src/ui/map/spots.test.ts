import { expect, test } from 'vitest'
import { clusterSpots, toneShares } from './spots.ts'
import type { PlacedSpot } from './spots.ts'

const at = (x: number, y: number, id = `${x} ${y}`): PlacedSpot => ({
  x,
  y,
  spot: {
    id,
    name: id,
    text: 'Driving',
    latitude: 0,
    longitude: 0,
    heading: null,
    isUrgent: false,
    tone: x % 2 === 0 ? 'driving' : 'bad',
    shape: 'disc',
  },
})

test('what is far apart stands by itself, what is close becomes one at its middle', () => {
  const found = clusterSpots([at(10, 10), at(20, 10), at(500, 500)])
  expect(found.map(({ x, y, members }) => [x, y, members.length])).toEqual([
    [15, 10, 2],
    [500, 500, 1],
  ])
})

test('neighbors that touch across the lines of the grid become one', () => {
  expect(clusterSpots([at(50, 50), at(54, 54)])).toHaveLength(1)
})

test('every spot is in exactly one cluster', () => {
  const spots = Array.from({ length: 2_000 }, (_, n) => at((n * 7919) % 3_000, (n * 104_729) % 2_000, String(n)))
  const ids = clusterSpots(spots).flatMap(({ members }) => members.map(({ spot }) => spot.id))
  expect(ids).toHaveLength(2_000)
  expect(new Set(ids).size).toBe(2_000)
})

test('a cluster tells how many of it are in each tone', () => {
  expect(toneShares({ x: 0, y: 0, members: [at(1, 1), at(2, 2), at(3, 3)] })).toEqual([
    ['bad', 2],
    ['driving', 1],
  ])
})
