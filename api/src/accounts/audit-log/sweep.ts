import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { deleteOlder } from '../../platform/db/delete-older.ts'

/** Deletes entries that are older than this many days. The database refuses to delete younger ones than 400 days. */
export const sweepAuditLog = (db: Db, days: number, signal?: AbortSignal): Promise<void> =>
  deleteOlder(db, 'audit_log', { column: 'at', before: sql`now() - make_interval(days => ${days})`, signal })
