import type { DriverHoursRow } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { blocksTruckSql, COUNTED_MINUTES, minuteColumns } from '../../planning/shifts/index.ts'
import { type ChartQuery, matchesChart, WEEK_OF_SHIFT } from './chart-query.ts'

/** The hours of each driver by week. A shift counts in the week in which it starts in its market. */
export async function loadDriverHours(db: Db, _scope: Scope, query: ChartQuery): Promise<DriverHoursRow[]> {
  const hasEnded = sql`${minuteColumns.actualMinutes} is not null`
  const { rows } = await sql<DriverHoursRow>`
    select json_build_object('uid', d.uid, 'name', d.name) as driver, w.week, w.shifts, w."workedMinutes", w."plannedMinutes"
      from (select t.driver_uid, ${WEEK_OF_SHIFT} as week, count(*)::int as shifts,
                   coalesce(sum(${COUNTED_MINUTES}) filter (where ${hasEnded}), 0)::int as "workedMinutes",
                   coalesce(sum(${COUNTED_MINUTES}) filter (where not (${hasEnded})), 0)::int as "plannedMinutes"
              from shift t where ${matchesChart(query)} and ${blocksTruckSql('t')} group by 1, 2) w
      join user_account d on d.uid = w.driver_uid
     order by d.name, d.uid, w.week`.execute(db)
  return rows
}
