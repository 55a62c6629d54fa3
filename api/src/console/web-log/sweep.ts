import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Deletes reports after the days that the settings name. */
export async function sweepReports(db: Db): Promise<void> {
  const { keepWebLogDays } = await readSettings(db)
  await sql`delete from web_log where at < now() - make_interval(days => ${keepWebLogDays})`.execute(db)
}

export const sweepWebLog = defineJob({
  name: 'sweep-web-log',
  every: '10m',
  lock: 'node',
  run: ({ db }) => sweepReports(db),
})
