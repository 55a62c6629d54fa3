import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Deletes reports after the days that the settings name. */
export async function sweepReports(db: Db, signal?: AbortSignal): Promise<void> {
  const { keepWebLogDays } = await readSettings(db)
  const before = sql`now() - make_interval(days => ${keepWebLogDays})`
  await deleteOlder(db, 'web_log', { column: 'at', before, signal })
}

export const sweepWebLog = defineJob('sweep-web-log', ({ db, timeUp: signal }) => sweepReports(db, signal))
