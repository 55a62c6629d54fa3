import type { QueryOf, ReplyOf, shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import {
  heldHours,
  ownShifts,
  shiftFilters,
  tookPlace,
  withoutDriver,
  workedHours,
} from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

/**
 * The shifts `t` that took place, with the miles and hours that POPs count. Miles are rounded to whole meters, so that
 * sums agree in whatever order they are added; a shift without any data of its truck has none.
 */
export const workedShifts = (condition: SqlFragment): SqlFragment => sql`
  select t.uid, t.program_uid as program, t.market_uid as market, t.local_date as day, t.truck_uid, round(k.metres) as metres,
         k.shift_uid is null as has_no_gps, tr.kind = 'printed' as is_printed,
         t.status in ('planned', 'out') and upper(${heldHours('t')}) > now() as is_running,
         coalesce((select floor(sum(extract(epoch from upper(r) - lower(r)))) from unnest(w.hours) r), 0) as seconds,
         date_trunc('hour', lower(w.hours) + interval '1 hour' - interval '1 microsecond') as first_hour,
         date_trunc('hour', upper(w.hours)) as end_hour
    from shift t cross join lateral (select ${workedHours('t')} as hours) w join truck tr on tr.uid = t.truck_uid left join shift_track k on k.shift_uid = t.uid
   where ${condition} and ${tookPlace('t')}`

type Query = QueryOf<typeof shifts.workTotals>

/** Miles and hours of the shifts that took place, of those that a list shows. */
export async function loadWorkTotals(
  db: Db,
  scope: Scope,
  asked: Query,
): Promise<ReplyOf<typeof shifts.workTotals>['data']> {
  const query = withoutDriver(scope, asked)
  const conditions: SqlFragment[] = [sql`t.deleted_at is null`]
  for (const [name, condition] of Object.entries(shiftFilters)) {
    const value = query[name as keyof Query]
    if (value !== undefined) conditions.push((condition as (value: unknown) => SqlFragment)(value))
  }
  if (scope.rows === 'own') conditions.push(ownShifts(scope.actor))
  const { rows } = await sql<ReplyOf<typeof shifts.workTotals>['data']>`
    select count(*) as shifts, coalesce(sum(w.metres), 0) as metres, coalesce(sum(w.seconds), 0)::bigint as seconds,
           count(distinct w.day) as days, count(*) filter (where w.has_no_gps) as "shiftsWithoutGps"
      from (${workedShifts(allOf(conditions))}) w`.execute(db)
  return rows[0] ?? { shifts: 0, metres: 0, seconds: 0, days: 0, shiftsWithoutGps: 0 }
}
