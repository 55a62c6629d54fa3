import { sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { heldHours } from './holds.ts'

/**
 * Whether the shift in row `alias` took place: it was reported, its truck drove in its hours, or its player logged plays
 * for it. Canceled shifts and no-shows never do. Days, miles, hours and trucks of a POP are those of these shifts.
 */
export function tookPlace(alias: string): SqlFragment {
  const column = (name: string) => sql.id(alias, name)
  return sql`(${column('deleted_at')} is null and ${column('status')} not in ('cancelled', 'noShow')
    and (${column('status')} in ('out', 'completed')
         or exists (select from shift_track k where k.shift_uid = ${column('uid')} and k.metres > 0)
         or (${column('starts_at')} < now() + interval '1 day' and has_plays(${column('uid')}))))`
}

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
    from shift t cross join lateral (select worked_hours(t) as hours) w
    join truck tr on tr.uid = t.truck_uid
    left join shift_track k on k.shift_uid = t.uid
   where ${condition} and ${tookPlace('t')}`
