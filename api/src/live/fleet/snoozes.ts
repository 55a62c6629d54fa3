import { DAY_MS, pluralize } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Why an issue can't be snoozed until a time; undefined if it can. Times are milliseconds since 1970. */
export function refusedSnooze(until: number, now: number, maxDays: number): string | undefined {
  if (until <= now) return 'Choose a time in the future.'
  return until - now > maxDays * DAY_MS ? `At most ${pluralize(maxDays, 'day')} from now.` : undefined
}

/** What happens again needs attention again: ends the snoozes of open issues with the truck and the kind of new ones. */
export async function endSnoozesOfSameIssue(db: Db, newUids: readonly string[]): Promise<void> {
  if (newUids.length === 0) return
  await sql`
    update truck_issue t set snoozed_until = null, changed_by = null, changed_from = null
      from truck_issue n
     where n.uid = any(${[...newUids]}::uuid[]) and t.truck_uid = n.truck_uid and t.kind = n.kind and t.uid <> n.uid
       and t.status <> 'resolved' and t.snoozed_until is not null and t.deleted_at is null`.execute(db)
}
