import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { playsKeptSince, readSettings } from '../../catalog/settings/index.ts'

/** Forgets a gap in a device's sequence once the missing plays have arrived. */
async function sweepFilledGaps(db: Db): Promise<void> {
  await sql`delete from play_after_hole a using play_sequence q
             where q.device_uid = a.device_uid and (q.received + q.rejected) @> a.sequence - 1`.execute(db)
}

const AT_ONCE = 50_000
// A day of a zone ends long after the same day of UTC.
const DAYS_AROUND = 3

/** Forgets ids and rejections of plays that are older than the retention: a play as old as these is rejected. */
async function sweepOldIds(db: Db, now: number, signal: AbortSignal): Promise<void> {
  const kept = new Date(playsKeptSince(await readSettings(db), now) - DAYS_AROUND * DAY_MS)
  await deleteOlder(db, 'play_rejection', { column: 'received_at', before: sql`${kept}`, signal })
  await deleteOlder(db, 'play_correction', { column: 'started_at', before: sql`${kept}`, signal })
  for (let removed = AT_ONCE; removed === AT_ONCE && !signal.aborted;) {
    const { numAffectedRows } = await sql`
      delete from known_play where ctid = any(array(
        select ctid from known_play where day < ${kept}::timestamptz::date limit ${sql.lit(AT_ONCE)}))`.execute(db)
    removed = Number(numAffectedRows ?? 0)
  }
}

/** The most rejections of a device that are listed one by one; their numbers stay counted. */
const LISTED_REJECTIONS = 10_000

const sweepManyRejections = (db: Db) =>
  sql`
  delete from play_rejection r
   using (select device_uid, max(received_at) as until
            from (select device_uid, received_at,
                         row_number() over (partition by device_uid order by received_at desc, sequence desc) as place
                    from play_rejection) n
           where place > ${LISTED_REJECTIONS} group by device_uid) old
   where r.device_uid = old.device_uid and r.received_at <= old.until`.execute(db)

export const sweepSequences = defineJob('sweep-play-sequences', async ({ db, now, timeUp: signal }) => {
  await sweepFilledGaps(db)
  await sweepManyRejections(db)
  await sweepOldIds(db, now, signal)
})
