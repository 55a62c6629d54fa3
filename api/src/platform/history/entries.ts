import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { DB } from '../db/schema.ts'

interface HistoryEntry {
  table: keyof DB
  recordUid: string
  actorUid: string | null
  keyUid: string | null
  /** The network address that it came from, if a person made it. */
  address?: string
  changes: Record<string, [before: object, after: object]>
}

/** Adds what was noticed or decided about records. Changes of the records themselves are added by the database. */
export async function addHistoryEntries(db: Db, entries: readonly HistoryEntry[]): Promise<void> {
  const rows = entries.map(({ table, recordUid, actorUid, keyUid, address = null, changes }) => ({
    table_name: table,
    record_uid: recordUid,
    action: 'changed',
    actor_uid: actorUid,
    key_uid: keyUid,
    address,
    changes: JSON.stringify(changes),
  }))
  if (rows.length > 0) await db.insertInto('history').values(rows).execute()
}

const AT_ONCE = 5000

/**
 * Deletes changes of records before a moment, in bounded pieces. Numbers follow time, so the oldest are found without an
 * index on it; the database refuses to delete younger ones than three years. Answers whether more may be left.
 */
export async function deleteOldHistory({ db }: { db: Db }, before: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from history where id = any(array(
      select id from (select id, at from history order by id limit ${sql.lit(AT_ONCE)}) oldest
       where at < ${before}))`.execute(db)
  return Number(numAffectedRows) === AT_ONCE
}
