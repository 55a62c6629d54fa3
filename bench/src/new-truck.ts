import type { TruckInput } from '@roadshow/contract'
import type { BenchWorld } from './world.ts'

let created = 0

/** A truck with a number, plate and VIN that no other has. */
export function newTruck(homeMarketUid: string): TruckInput {
  const n = String(++created)
  const vin = `9BE${n.padStart(14, '0')}`
  return { number: `N-${n}`, plate: `N${n}`, vin, kind: 'led', state: 'active', homeMarketUid, note: '' }
}

/** The home market of new trucks. */
export async function homeMarketOf({ sql }: BenchWorld): Promise<string> {
  const [market] = await sql<{ uid: string }>('select uid from market limit 1')
  return market?.uid ?? ''
}
