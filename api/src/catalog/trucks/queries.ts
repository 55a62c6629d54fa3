import type { BodyOf, QueryOf, Truck, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { HAS_PAIRED_PLAYER } from '../devices/index.ts'
import { marketRecords } from '../markets/index.ts'
import { pixelMapRecords } from '../pixel-maps/index.ts'
import { uidAndName } from '../../platform/db/records/fragments.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'
import { searchText } from '../../platform/db/records/search-text.ts'

const PLAYER = sql`case when ${HAS_PAIRED_PLAYER} then 'paired' else 'missing' end`

/** Outsiders search numbers only. */
export const truckText = searchText((t) => sql`${t}.number`)

export const truckRecords = records<'truck', Truck, QueryOf<typeof trucks.list>>({
  table: 'truck',
  joins: sql`left join market m on m.uid = t.home_market_uid
          left join pixel_map p on p.uid = t.pixel_map_uid`,
  columns: {
    uid: sql`t.uid`,
    number: sql`t.number`,
    plate: sql`t.plate`,
    vin: sql`t.vin`,
    kind: sql`t.kind`,
    state: sql`t.state`,
    homeMarket: sql`case when m.uid is not null then json_build_object('uid', m.uid, 'name', m.name,
                                   'zone', zone_at(m.zone, m.earlier_zones, now())) end`,
    pixelMap: uidAndName('p'),
    geotabDeviceId: sql`t.geotab_device_id`,
    player: PLAYER,
    note: sql`t.note`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { number: sql`t.number`, plate: sql`t.plate`, state: sql`t.state`, updatedAt: sql`t.updated_at` },
  filters: {
    state: (state) => sql`t.state = any(${state})`,
    kind: (kind) => sql`t.kind = any(${kind})`,
    market: (market) => sql`t.home_market_uid = any(${market})`,
    pixelMap: (pixelMap) => sql`t.pixel_map_uid = any(${pixelMap})`,
    player: (player) => sql`(${PLAYER}) = any(${player})`,
  },
  searchText: truckText,
  own: noOwnRows,
  taken: {
    truck_number_once: ['numberTaken', 'number'],
    truck_plate_once: ['plateTaken', 'plate'],
    truck_vin_once: ['vinTaken', 'vin'],
    truck_geotab_once: ['geotabTaken', 'geotabDeviceId'],
  },
})

export const toTruckRow = ({ homeMarketUid, pixelMapUid, geotabDeviceId, ...input }: BodyOf<typeof trucks.create>) => ({
  ...input,
  home_market_uid: marketRecords.ref('homeMarketUid', homeMarketUid),
  pixel_map_uid: pixelMapRecords.ref('pixelMapUid', pixelMapUid),
  geotab_device_id: geotabDeviceId,
})
