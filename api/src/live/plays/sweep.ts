import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Forgets a gap in a device's sequence once the missing plays have arrived. */
async function sweepFilledGaps(db: Db): Promise<void> {
  await sql`delete from play_after_hole a using play_sequence q
             where q.device_uid = a.device_uid and q.received @> a.sequence - 1`.execute(db)
}

export const sweepSequences = defineJob({
  name: 'sweep-play-sequences',
  every: '10m',
  lock: 'node',
  run: ({ db }) => sweepFilledGaps(db),
})
