import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** A phone's clock may be wrong by centuries; the column holds 68 years. */
const LARGEST_OFFSET_S = 2 ** 31 - 1

/** Notes that the phone of a driver was in touch; at most every half a minute, unless its clock is another. */
export async function noteContact(db: Db, userUid: string, offsetMs?: number): Promise<void> {
  const seconds = Math.round((offsetMs ?? 0) / 1000)
  const offset = offsetMs === undefined ? null : Math.max(-LARGEST_OFFSET_S, Math.min(seconds, LARGEST_OFFSET_S))
  await sql`
    insert into driver_phone as known (user_uid, seen_at, clock_offset_s)
    values (${userUid}, now(), coalesce(${offset}::int, 0))
    on conflict (user_uid) do update
       set seen_at = now(), clock_offset_s = coalesce(${offset}::int, known.clock_offset_s)
     where known.seen_at < now() - interval '30 seconds' or known.clock_offset_s <> coalesce(${offset}::int, known.clock_offset_s)`.execute(
    db,
  )
}
