import { type OutOfService, type outOfServices, type QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { uidAndName } from '../../../platform/db/records/fragments.ts'
import { records } from '../../../platform/db/records/records.ts'

const clocks = (column: string) => sql`to_char(${sql.ref(`t.${column}`)}, 'HH24:MI')`

/** Drivers see their own days off; clients see nothing of them, and nothing of the shop. */
export const stretchRecords = records<'out_of_service', OutOfService, QueryOf<typeof outOfServices.list>>({
  table: 'out_of_service',
  noun: 'time out of service',
  joins: sql`left join truck tr on tr.uid = t.truck_uid
          left join user_account d on d.uid = t.driver_uid`,
  columns: {
    uid: sql`t.uid`,
    truck: sql`case when tr.uid is not null then ${uidAndName('tr', 'number')} end`,
    driver: sql`case when d.uid is not null then ${uidAndName('d')} end`,
    from: sql`t.starts_on`,
    startTime: clocks('start_time'),
    to: sql`t.ends_on`,
    endTime: sql`case when t.end_time <> '24:00' then ${clocks('end_time')} end`,
    zone: sql`t.zone`,
    startsAt: sql`t.starts_at`,
    endsAt: sql`t.ends_at`,
    reason: sql`t.reason`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { startsAt: sql`t.starts_at` },
  filters: {
    truck: (truck) => sql`t.truck_uid = any(${truck})`,
    driver: (driver) => sql`t.driver_uid = any(${driver})`,
    from: (from) => sql`(t.ends_on is null or t.ends_on >= ${from})`,
    to: (to) => sql`t.starts_on <= ${to}`,
  },
  own: ({ role, uid }) => (role === 'driver' ? sql`t.driver_uid = ${uid}` : sql`false`),
  taken: {
    out_of_service_truck_once: ['stretchTaken', 'from'],
    out_of_service_driver_once: ['stretchTaken', 'from'],
  },
})
