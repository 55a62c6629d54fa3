import type { daySheet, QueryOf, SheetShift } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { includeIf } from '../../platform/db/records/fragments.ts'
import { PLANNED_JOINS } from './queries.ts'

/** The shifts of a day that take place, by market and time, as their papers have them. */
export async function loadDaySheet(
  db: Db,
  { date, market, driver }: QueryOf<typeof daySheet.get>,
): Promise<SheetShift[]> {
  const inMarkets = includeIf(market !== undefined, () => sql` and t.market_uid = any(${market})`)
  const ofDrivers = includeIf(driver !== undefined, () => sql` and t.driver_uid = any(${driver})`)
  const { rows } = await sql<SheetShift>`
    select t.uid, t.local_date as date, to_char(t.start_time, 'HH24:MI') as start, to_char(t.end_time, 'HH24:MI') as "end",
           t.zone, t.status, json_build_object('uid', tr.uid, 'number', tr.number, 'plate', tr.plate) as truck,
           json_build_object('uid', d.uid, 'name', d.name, 'phone', d.phone) as driver,
           json_build_object('uid', p.uid, 'name', p.name) as program,
           json_build_object('uid', c.uid, 'name', c.name) as client,
           json_build_object('uid', m.uid, 'name', m.name) as market,
           coalesce(m.depots -> 0 ->> 'name', '') as yard, t.stops,
           (select coalesce(json_agg(json_build_object('name', k ->> 'name', 'title', coalesce(k ->> 'title', ''), 'phone', k ->> 'phone')), '[]')
              from jsonb_array_elements(c.contacts) k where k ->> 'phone' <> '') as contacts, t.note
      from shift t ${PLANNED_JOINS}
     where t.local_date = ${date} and t.deleted_at is null and t.status not in ('cancelled', 'noShow')${inMarkets}${ofDrivers}
     order by m.name, m.uid, t.starts_at, tr.number, t.uid`.execute(db)
  return rows
}
