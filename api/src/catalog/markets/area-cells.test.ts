import { describe, expect, test } from 'vitest'
import { readDepots, readMiles, readOutline, zoneNamed } from './area-cells.ts'

describe('cells of a market', () => {
  test('corners', () => {
    expect(readOutline('29.76 -95.37; 29.8,-95.2\n29.7 -95')).toEqual({
      value: [
        [-95.37, 29.76],
        [-95.2, 29.8],
        [-95, 29.7],
      ],
    })
    expect(readOutline('north of town')).toHaveProperty('problem')
  })

  test('depots', () => {
    expect(readDepots('North yard (29.8 -95.2, 1000 ft); South (29, -95)')).toEqual({
      value: [
        { name: 'North yard', latitude: 29.8, longitude: -95.2, radiusM: 305 },
        { name: 'South', latitude: 29, longitude: -95, radiusM: 152 },
      ],
    })
    expect(readDepots('North yard')).toHaveProperty('problem')
  })

  test('miles and zones', () => {
    expect([readMiles('2.5 mi'), readMiles('1')]).toEqual([{ value: 4023 }, { value: 1609 }])
    expect(readMiles('far')).toEqual({ problem: 'Must be a number of miles, such as 2.5.' })
    expect(['Central', 'CST', 'Eastern time', 'America/Boise'].map(zoneNamed)).toEqual([
      'America/Chicago',
      'America/Chicago',
      'America/New_York',
      'America/Boise',
    ])
  })
})
