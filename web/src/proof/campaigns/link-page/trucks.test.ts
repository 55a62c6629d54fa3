import { expect, test } from 'vitest'

const truckIn = (market: string, longitude: number) => ({
  market,
  latitude: 32.78,
  longitude,
  isMoving: true,
  heading: null,
  at: '2:00 PM CST',
})

test('a market gets its map when its first truck starts while the page is open, and keeps one map', async () => {
  document.body.append(Object.assign(document.createElement('section'), { id: 'trucks' }))
  const { placeTrucks } = await import('./trucks.ts')
  placeTrucks([])
  expect(document.querySelector('.where')).toBeNull()

  placeTrucks([truckIn('Dallas', -96.8), truckIn('Dallas', -96.9)])
  placeTrucks([truckIn('Dallas', -96.8), truckIn('Dallas', -96.9), truckIn('Waco', -97.1)])
  const maps = [...document.querySelectorAll<SVGElement>('.where .route .sheet svg')]
  expect(maps.map((map) => map.getAttribute('aria-label'))).toEqual(['Trucks in Dallas', 'Trucks in Waco'])
  const [dallas] = maps
  const [, , width = 0, height = 0] = (dallas?.getAttribute('viewBox') ?? '').split(' ').map(Number)
  const spots = [...(dallas?.querySelectorAll('circle') ?? [])]
  expect(spots).toHaveLength(2)
  for (const spot of spots) {
    expect(Number(spot.getAttribute('cx'))).toBeGreaterThan(0)
    expect(Number(spot.getAttribute('cx'))).toBeLessThan(width)
    expect(Number(spot.getAttribute('cy'))).toBeLessThan(height)
  }

  placeTrucks([])
  expect(document.querySelectorAll('.where .sheet')).toHaveLength(2)
  expect(document.querySelectorAll('.where circle')).toHaveLength(0)
})
