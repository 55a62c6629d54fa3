import type { Truck } from '@roadshow/contract/catalog/trucks'
import { testUid } from './test-uid.ts'

/** A truck as the server answers it, `T-1` by `testTruck(1)`. */
export const testTruck = (n: number, more: Partial<Truck> = {}): Truck => ({
  uid: testUid(n),
  number: `T-${n}`,
  plate: '',
  vin: '',
  kind: 'led',
  state: 'active',
  homeMarket: null,
  pixelMap: null,
  geotabDeviceId: '',
  player: 'missing',
  note: '',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 3,
  ...more,
})
