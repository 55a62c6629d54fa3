import type { QueryOf, replays, RowOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { truckText } from '../../catalog/trucks/index.ts'
import { records } from '../../platform/db/records/records.ts'

/** The trucks that a reader can replay: clients and drivers those that were on their shifts. */
export const replayTrucks = records<'truck', RowOf<typeof replays.trucks>, QueryOf<typeof replays.trucks>>({
  table: 'truck',
  columns: { uid: sql`t.uid`, name: sql`t.number` },
  sorts: { name: sql`t.number` },
  filters: { uid: (uid) => sql`t.uid = any(${uid})` },
  searchText: truckText,
  own: ({ role, uid, clientUid }) =>
    role === 'client'
      ? sql`t.uid in (select h.truck_uid from truck_hold h where h.client_uid = ${clientUid} and lower(h.during) <= now())`
      : sql`t.uid in (select h.truck_uid from truck_hold h join shift s on s.uid = h.shift_uid
                       where s.driver_uid = ${uid} and lower(h.during) <= now())`,
})
