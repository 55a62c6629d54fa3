import {
  playerStateLabel,
  type QueryOf,
  type Truck,
  truckKindLabel,
  type trucks,
  truckStateLabel,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { filterByName, type ListSheet, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'
import { marketRecords } from '../markets/index.ts'
import { pixelMapRecords } from '../pixel-maps/index.ts'
import { type Tracker, trackerCells } from './tracker-cells.ts'
import { loadTrackers } from './trackers.ts'

/** A truck with its ids at position sources, of which its record knows only that at MyGeotab. */
export interface TrackedTruck extends Truck {
  trackers: readonly Tracker[]
}

/** Adds the trackers to the rows of an export. */
export async function* withTrackers(db: Db, found: AsyncIterable<Truck>): AsyncGenerator<TrackedTruck> {
  const trackers = await loadTrackers(db)
  for await (const truck of found) yield { ...truck, trackers: trackers.get(truck.uid) ?? [] }
}

export const truckSheet: ListSheet<TrackedTruck, QueryOf<typeof trucks.list>> = {
  name: 'trucks',
  columns: {
    Number: (truck) => truck.number,
    Plate: (truck) => truck.plate,
    VIN: (truck) => truck.vin,
    Kind: (truck) => truckKindLabel[truck.kind],
    State: (truck) => truckStateLabel[truck.state],
    'Home market': (truck) => truck.homeMarket?.name ?? '',
    'Pixel map': (truck) => truck.pixelMap?.name ?? '',
    'Geotab device': (truck) => truck.geotabDeviceId,
    'Position source': ({ trackers }) => trackerCells(trackers).source,
    'Tracker id': ({ trackers }) => trackerCells(trackers).ids,
    Player: (truck) => playerStateLabel[truck.player],
    Note: (truck) => truck.note,
    Updated: timeColumn((truck) => truck.updatedAt),
  },
  filters: async (db, scope, query) => [
    ...(query.state ? [`state: ${query.state.map((name) => truckStateLabel[name]).join(', ')}`] : []),
    ...(query.kind ? [`kind: ${query.kind.map((name) => truckKindLabel[name]).join(', ')}`] : []),
    ...(query.market ? [filterByName('home market', await namesOf(marketRecords, db, scope, query.market))] : []),
    ...(query.pixelMap ? [filterByName('pixel map', await namesOf(pixelMapRecords, db, scope, query.pixelMap))] : []),
    ...(query.player ? [`player: ${query.player.map((name) => playerStateLabel[name]).join(', ')}`] : []),
  ],
}
