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
