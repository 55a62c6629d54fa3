import type { Db } from '../db/connection.ts'
import type { DB } from '../db/schema.ts'

export interface HistoryEntry {
  table: keyof DB
  recordUid: string
  actorUid: string | null
  keyUid: string | null
  changes: Record<string, [before: object, after: object]>
}

/** Adds what the system noticed about records. Changes of the records themselves are added by the database. */
export async function addHistoryEntries(db: Db, entries: readonly HistoryEntry[]): Promise<void> {
  const rows = entries.map(({ table, recordUid, actorUid, keyUid, changes }) => ({
    table_name: table,
    record_uid: recordUid,
    action: 'changed',
    actor_uid: actorUid,
    key_uid: keyUid,
    changes: JSON.stringify(changes),
  }))
  if (rows.length > 0) await db.insertInto('history').values(rows).execute()
}
