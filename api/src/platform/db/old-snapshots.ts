import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './connection.ts'

const SNAPSHOT_PAUSE_MS = 200

export interface SnapshotWait {
  signal?: AbortSignal | undefined
  /** How long to wait for readers that began before. */
  patienceMs: number
}

/**
 * Waits until every snapshot is newer than this call. A reader with an older one would miss rows that were moved since,
 * once the partition that it would find them in is gone.
 */
export async function waitForOldSnapshots(db: Db, { signal, patienceMs }: SnapshotWait): Promise<boolean> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db)
  const began = performance.now()
  for (;;) {
    const { rows: old } = await sql`
      select from pg_stat_activity
       where pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend'
         and age(backend_xmin) >= age((${rows[0]?.xid}::xid8)::xid) limit 1`.execute(db)
    if (old.length === 0) return true
    if (signal?.aborted || performance.now() - began > patienceMs) return false
    await pause(SNAPSHOT_PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}
