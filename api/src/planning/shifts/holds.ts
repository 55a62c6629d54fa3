import { sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

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
