import { sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

/**
 * The hours that the shift in row `alias` drove, as a multirange, without those in which another shift had the truck: a
 * moment of a truck belongs to one shift.
 */
export function ownHours(alias: string): SqlFragment {
  const shift = sql.ref(alias)
  const column = (name: string) => sql.id(alias, name)
  return sql`(tstzmultirange(driven_hours(${shift})) - coalesce((
    select range_agg(truck_hours(o)) from shift o
     where o.truck_uid = ${column('truck_uid')} and o.uid <> ${column('uid')} and o.deleted_at is null
       and o.starts_at > ${column('starts_at')} - interval '3 days' and o.starts_at < ${column('ends_at')} + interval '3 days'
       and truck_hours(o) && driven_hours(${shift}) and truck_rank(o) collate "C" > truck_rank(${shift}) collate "C"), '{}'))`
}
