import type { DeviceAccount } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { utcText } from '../../platform/db/records/fragments.ts'

/** The most gaps and rejections that are listed one by one. */
const LISTED = 100

/** Every number that a player has used: stored, missing or rejected. */
export async function accountOfDevice(db: Db, deviceUid: string): Promise<DeviceAccount> {
  const device = await db.selectFrom('device').select('uid').where('uid', '=', deviceUid).executeTakeFirst()
  if (!device) throw new AppError('notFound')
  const { rows } = await sql<DeviceAccount>`
    with q as (
      select received, rejected, forgotten, received + rejected as used from play_sequence where device_uid = ${deviceUid}
    ), gap as (
      select g from q, unnest(int8multirange(int8range(1, upper(used))) - used) g where not isempty(used)
    )
    select coalesce((select upper(used) - 1 from q where not isempty(used)), 0) as used,
           coalesce((select numbers_in(received) - forgotten from q), 0) as stored,
           coalesce((select numbers_in(rejected) from q), 0) as rejected,
           coalesce((select sum(upper(g) - lower(g)) from gap), 0)::bigint + coalesce((select forgotten from q), 0) as missing,
           coalesce((select json_agg(json_build_object('from', lower(g), 'to', upper(g) - 1))
                       from (select g from gap order by g desc limit ${LISTED}) newest), '[]') as gaps,
           coalesce((select json_agg(json_build_object('sequence', r.sequence, 'at', ${utcText('r.at')},
                                                        'reason', r.reason))
                       from (select * from play_rejection where device_uid = ${deviceUid}
                              order by sequence desc limit ${LISTED}) r), '[]') as rejections`.execute(db)
  return rows[0] as DeviceAccount
}
