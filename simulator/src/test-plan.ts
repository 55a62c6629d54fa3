import type { CityMarket } from './city.ts'
import type { PlannedShift, PlannedTruck } from './plan.ts'

export const START = Date.UTC(2026, 6, 1, 12)
export const HOUR = 3_600_000

export const dallasCity: CityMarket = {
  uid: 'market',
  name: 'Dallas',
  latitude: 32.7767,
  longitude: -96.797,
  radiusM: 20_000,
  outline: null,
  depots: [{ latitude: 32.808, longitude: -96.872 }],
}

export const plannedShift = (given: Partial<PlannedShift> = {}): PlannedShift => ({
  uid: 'shift',
  startsAt: START + HOUR,
  endsAt: START + 5 * HOUR,
  status: 'planned',
  market: dallasCity,
  places: [{ latitude: 32.79, longitude: -96.8 }],
  stops: [],
  client: 'Zephyr Foods',
  zone: 'America/Chicago',
  driverEmail: 'driver@example.com',
  ...given,
})

export const plannedTruck = (given: Partial<PlannedTruck> = {}): PlannedTruck => ({
  uid: 'truck',
  number: 'T-1',
  plate: 'ABC-1234',
  vin: '1HTABCDEFGH123456',
  isInShop: false,
  geotabId: 'b1',
  home: dallasCity,
  odometer: null,
  playedAt: null,
  devices: [],
  shifts: [plannedShift()],
  ...given,
})
