import {
  playerStateLabel,
  type QueryOf,
  type Truck,
  truckKindLabel,
  type trucks,
  truckStateLabel,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'
import { marketRecords } from '../markets/index.ts'
import { pixelMapRecords } from '../pixel-maps/index.ts'

export const truckSheet = {
  name: 'trucks',
  columns: {
    Number: (truck: Truck) => truck.number,
    Plate: (truck: Truck) => truck.plate,
    VIN: (truck: Truck) => truck.vin,
    Kind: (truck: Truck) => truckKindLabel[truck.kind],
    State: (truck: Truck) => truckStateLabel[truck.state],
    'Home market': (truck: Truck) => truck.homeMarket?.name ?? '',
    'Pixel map': (truck: Truck) => truck.pixelMap?.name ?? '',
    'Geotab device': (truck: Truck) => truck.geotabDeviceId,
    Player: (truck: Truck) => playerStateLabel[truck.player],
    Note: (truck: Truck) => truck.note,
    Updated: timeColumn((truck: Truck) => truck.updatedAt),
  },
  filters: async (db: Db, scope: Scope, query: QueryOf<typeof trucks.list>) => [
    ...(query.state ? [`state: ${query.state.map((name) => truckStateLabel[name]).join(', ')}`] : []),
    ...(query.kind ? [`kind: ${query.kind.map((name) => truckKindLabel[name]).join(', ')}`] : []),
    ...(query.market ? [filterByName('home market', await namesOf(marketRecords, db, scope, query.market))] : []),
    ...(query.pixelMap ? [filterByName('pixel map', await namesOf(pixelMapRecords, db, scope, query.pixelMap))] : []),
    ...(query.player ? [`player: ${query.player.map((name) => playerStateLabel[name]).join(', ')}`] : []),
  ],
}
