import type { DeviceAccount } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type SqlFragment, utcText } from '../../platform/db/records/fragments.ts'

/** The most gaps and rejections that are listed one by one. */
const LISTED = 100

/**
 * Every number that a player has used: stored, duplicate, rejected or missing. Numbers that its counter may have been set past
 * are a question, and counted only once someone has answered.
 */
export async function accountOfDevice(db: Db, deviceUid: string): Promise<DeviceAccount> {
  const device = await db.selectFrom('device').select('uid').where('uid', '=', deviceUid).executeTakeFirst()
  if (!device) throw new AppError('notFound')
  const { rows } = await sql<DeviceAccount>`
    with q as (
      select p.*, received + rejected + duplicates as sent, received + rejected as ended, open_jumps(p) as jumps
        from play_sequence p where device_uid = ${deviceUid}
    ), counted as (
      -- Duplicates above the highest number are used as well, without a gap before them.
      select numbers_in(int8multirange(int8range(1, coalesce(upper(ended), 1))) + duplicates - (skipped - sent) - jumps)
             + reused as used,
             numbers_in(received) - forgotten as stored, numbers_in(rejected) + reused as rejected,
             numbers_in(duplicates - ended) as duplicates from q
    ), gap as (
      select first, next, is_jump from play_gap where device_uid = ${deviceUid}
    )
    select coalesce((select used from counted), 0) as used, coalesce((select stored from counted), 0) as stored,
           coalesce((select rejected from counted), 0) as rejected,
           coalesce((select duplicates from counted), 0) as duplicates,
           coalesce((select sum(next - first) from gap where not is_jump), 0)::bigint
             + coalesce((select forgotten from q), 0) as missing,
           ${runsOf(sql`select first, next from gap where not is_jump`)} as gaps,
           ${runsOf(sql`select first, next from gap where is_jump`)} as jumps,
           ${runsOf(sql`select lower(s) as first, upper(s) as next from q, unnest(q.skipped - q.sent) s`)} as skipped,
           ${runsOf(sql`select lower(s) as first, upper(s) as next from q, unnest(q.lost - q.sent) s`)} as lost,
           coalesce((select json_agg(json_build_object('sequence', r.sequence, 'at', ${utcText('r.at')},
                                                        'reason', r.reason, 'isDuplicate', r.is_duplicate))
                       from (select * from play_rejection where device_uid = ${deviceUid}
                              order by sequence desc, play_id limit ${LISTED}) r), '[]') as rejections`.execute(db)
  return rows[0] as DeviceAccount
}

/** The newest runs of a selection of `first` and `next`, as JSON. */
const runsOf = (runs: SqlFragment): SqlFragment => sql`
  coalesce((select json_agg(json_build_object('from', first, 'to', next - 1))
              from (${runs} order by first desc limit ${LISTED}) newest), '[]')`
