import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Db } from '../db/connection.ts'
import { databaseFolder } from '../db/database-folder.ts'
import { defineJob } from '../jobs/define-job.ts'
import { measuredFolders } from '../observability/metrics.ts'
import { lastRuns } from './runs.ts'

const backupDoneAt = new Gauge({
  name: 'roadshow_backup_done_timestamp_seconds',
  help: 'When a backup was made (backup) and when one was checked (check) last; before the first, when the database was set up.',
  labelNames: ['kind'] as const,
  registers: [],
})

const backupHasKey = new Gauge({
  name: 'roadshow_backup_has_key',
  help: 'Whether the last backup holds the secret key: 1 or 0.',
  // Nothing is shown before the first backup.
  labelNames: ['kind'] as const,
  registers: [],
})

const archiveFailing = new Gauge({
  name: 'roadshow_database_archive_failing',
  help: 'Whether PostgreSQL fails to archive its log: 1 or 0. It is 0 where it archives nothing.',
  registers: [],
})

const archiveFailures = new Gauge({
  name: 'roadshow_database_archive_failures',
  help: 'How often PostgreSQL failed to archive a piece of its log, since its statistics were reset.',
  registers: [],
})

interface Archiver {
  failures: number
  /** Whether the last attempt failed. */
  isFailing: boolean
}

async function measureArchiver(db: Db): Promise<void> {
  const { rows } = await sql<Archiver>`
    select failed_count::int as failures,
           current_setting('archive_mode') <> 'off'
             and coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
      from pg_stat_archiver`.execute(db)
  archiveFailing.set(rows[0]?.isFailing ? 1 : 0)
  archiveFailures.set(rows[0]?.failures ?? 0)
}

async function measureBackups(db: Db): Promise<void> {
  for (const { kind, doneAt, hasKey } of await lastRuns(db)) {
    backupDoneAt.set({ kind }, doneAt)
    if (kind === 'backup' && hasKey !== null) backupHasKey.set({ kind }, hasKey ? 1 : 0)
  }
}

export const databaseMetrics = [backupDoneAt, backupHasKey, archiveFailing, archiveFailures]

export const measureDatabase = defineJob('measure-database', async ({ db }) => {
  await measureBackups(db)
  await measureArchiver(db)
  const folder = await databaseFolder(db)
  if (folder === undefined) measuredFolders.delete('database')
  else measuredFolders.set('database', folder)
})
