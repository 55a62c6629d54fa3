import type { QueryOf, Truck, trucks } from '@roadshow/contract'
import { nobodys, records } from '../db/records.ts'

export const truckRecords = records<'truck', Truck, QueryOf<typeof trucks.list>>({
  table: 'truck',
  joins: 'left join market m on m.uid = t.home_market_uid',
  columns: {
    uid: 't.uid',
    number: 't.number',
    plate: 't.plate',
    vin: 't.vin',
    kind: 't.kind',
    state: 't.state',
    homeMarket: `case when m.uid is not null then json_build_object('uid', m.uid, 'name', m.name, 'zone', m.zone) end`,
    note: 't.note',
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { number: 't.number', plate: 't.plate', state: 't.state', updatedAt: 't.updated_at' },
  filters: { state: 't.state = any(?)', kind: 't.kind = any(?)', market: 't.home_market_uid = any(?)' },
  own: nobodys,
  taken: {
    truck_number_once: ['numberTaken', 'number'],
    truck_plate_once: ['plateTaken', 'plate'],
    truck_vin_once: ['vinTaken', 'vin'],
  },
})
