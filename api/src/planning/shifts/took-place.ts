import { sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

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
