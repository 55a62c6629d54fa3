import type { BodyOf, QueryOf, Truck, trucks } from '@roadshow/contract'
import { HAS_PAIRED_PLAYER } from '../devices/index.ts'
import { marketRecords } from '../markets/index.ts'
import { pixelMapRecords } from '../pixel-maps/index.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'

const PLAYER = `case when ${HAS_PAIRED_PLAYER} then 'paired' else 'missing' end`

export const truckRecords = records<'truck', Truck, QueryOf<typeof trucks.list>>({
  table: 'truck',
  joins: `left join market m on m.uid = t.home_market_uid
          left join pixel_map p on p.uid = t.pixel_map_uid`,
  columns: {
    uid: 't.uid',
    number: 't.number',
    plate: 't.plate',
    vin: 't.vin',
    kind: 't.kind',
    state: 't.state',
    homeMarket: `case when m.uid is not null then json_build_object('uid', m.uid, 'name', m.name, 'zone', m.zone) end`,
    pixelMap: `case when p.uid is not null then json_build_object('uid', p.uid, 'name', p.name) end`,
    geotabDeviceId: 't.geotab_device_id',
    player: PLAYER,
    note: 't.note',
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { number: 't.number', plate: 't.plate', state: 't.state', updatedAt: 't.updated_at' },
  filters: {
    state: 't.state = any(?)',
    kind: 't.kind = any(?)',
    market: 't.home_market_uid = any(?)',
    pixelMap: 't.pixel_map_uid = any(?)',
    player: `(${PLAYER}) = any(?)`,
  },
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
