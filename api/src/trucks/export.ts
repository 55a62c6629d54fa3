import { type QueryOf, type Truck, truckKindLabel, type trucks, truckStateLabel } from '@roadshow/contract'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/scope.ts'
import { utc } from '../http/sheet.ts'
import { marketRecords } from '../markets/index.ts'

export const truckSheet = {
  name: 'trucks',
  columns: {
    Number: (truck: Truck) => truck.number,
    Plate: (truck: Truck) => truck.plate,
    VIN: (truck: Truck) => truck.vin,
    Kind: (truck: Truck) => truckKindLabel[truck.kind],
    State: (truck: Truck) => truckStateLabel[truck.state],
    'Home market': (truck: Truck) => truck.homeMarket?.name ?? '',
    Note: (truck: Truck) => truck.note,
    'Updated (UTC)': (truck: Truck) => utc(truck.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { state, kind, market }: QueryOf<typeof trucks.list>) => [
    ...(state ? [`state: ${state.map((name) => truckStateLabel[name]).join(', ')}`] : []),
    ...(kind ? [`kind: ${kind.map((name) => truckKindLabel[name]).join(', ')}`] : []),
    ...(market ? [`home market: ${await marketNames(db, scope, market)}`] : []),
  ],
}

async function marketNames(db: Db, scope: Scope, uids: string[]): Promise<string> {
  const found = await Promise.all(uids.map((uid) => marketRecords.find(db, scope, uid)))
  return found.map((market) => market?.name ?? 'unknown').join(', ')
}
