import { settingTable } from '@roadshow/contract'
import { sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

/** SQL condition: the shift with this alias blocks its truck and its driver. */
export const blocksTruckSql = (alias: string): SqlFragment =>
  sql`${sql.id(alias)}.deleted_at is null and ${sql.id(alias)}.status not in ('cancelled', 'noShow')`

/** SQL of the moment from which the shift with this alias no longer blocks its truck and its driver: its stop, or its planned end. */
export const bookedUntil = (alias: string): SqlFragment =>
  sql`coalesce(${sql.id(alias, 'released_at')}, ${sql.id(alias, 'ends_at')})`

interface LastShift {
  driver: SqlFragment
  before: SqlFragment
  /** Excludes the shift in question from the shifts `b`. */
  isOther: SqlFragment
}

/** SQL of the driver's last shift (`b`) before an instant. */
export const lastShiftBefore = ({ driver, before, isOther }: LastShift): SqlFragment => sql`
  select b.starts_at, ${bookedUntil('b')} as ends_at from shift b
   where b.driver_uid = ${driver} and b.starts_at < ${before} and ${isOther} and ${blocksTruckSql('b')}
   order by b.starts_at desc limit 1`

const GAP_HOURS = sql`(select setting_number('restGapHours', ${sql.lit(settingTable.restGapHours.standard)}))`

/** SQL of the hours between the end of the last shift and an instant, if they are fewer than the settings ask for. */
export const shortRest = (startsAt: SqlFragment, last: SqlFragment): SqlFragment => sql`
  (select round(extract(epoch from ${startsAt} - last.ends_at) / 3600, 2)::float8 from (${last}) last
    where extract(epoch from ${startsAt} - last.ends_at) < 3600 * ${GAP_HOURS})`

/**
 * SQL of what set the start or stop of shift `t`, as `source` and `name`; no row where there is none. The office's times
 * are in `shift_office_time`; every other one was reported.
 */
export function timeSetter(kind: 'start' | 'stop'): SqlFragment {
  const at = sql.id('t', kind === 'start' ? 'started_at' : 'stopped_at')
  return sql`
    select case when o.shift_uid is null or w.role = 'driver' then 'driver' when o.is_correction then 'correction'
                when o.set_by is null then 'system' else 'office' end as source,
           coalesce(w.name, r.name, '') as name
      from (select ${at} as at where ${at} is not null) x
      left join shift_office_time o on o.shift_uid = t.uid and o.kind = ${sql.lit(kind)} and o.at = x.at
      left join user_account w on w.uid = o.set_by
      left join lateral (
        select u.name from driver_event e join user_account u on u.uid = e.user_uid
         where e.shift_uid = t.uid and e.kind = ${sql.lit(kind)} and e.at = x.at and e.user_uid = t.driver_uid
         limit 1) r on o.shift_uid is null`
}

/** The hours in which the shift in row `alias` holds its truck, as a multirange; empty if it holds none. */
export const heldHours = (alias: string): SqlFragment =>
  sql`(select coalesce(range_agg(h.during), '{}') from truck_hold h where h.shift_uid = ${sql.id(alias, 'uid')})`

/** The same as pairs of milliseconds since 1970, in their order. */
export const heldHoursJson = (alias: string): SqlFragment => sql`coalesce((
  select json_agg(json_build_array(extract(epoch from lower(h.during)) * 1000, extract(epoch from upper(h.during)) * 1000)
                  order by h.during)
    from truck_hold h where h.shift_uid = ${sql.id(alias, 'uid')}), '[]')`

/** Whether the shift in row `alias` holds its truck at a moment. */
export const holdsTruckAt = (alias: string, moment: SqlFragment): SqlFragment =>
  sql`exists (select from truck_hold h where h.shift_uid = ${sql.id(alias, 'uid')} and h.during @> ${moment})`

/**
 * Whether the shift in row `alias` took place: it was reported, its truck drove in its hours, or its player logged plays
 * for it. Canceled shifts and no-shows never do. Days, miles, hours and trucks of a POP are those of these shifts.
 */
export function tookPlace(alias: string): SqlFragment {
  const column = (name: string) => sql.id(alias, name)
  return sql`(${blocksTruckSql(alias)}
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
