import { sql } from 'kysely'
import { StartError } from '../runtime/start-error.ts'
import type { Db } from './connection.ts'

/** The table that a database has while a backup is restored into it: no migration creates it, and no backup holds it. */
export const RESTORE_MARK = 'unfinished_restore'

/** Refuses a database into which a backup is restored, or was restored in part. */
export async function requireFinishedRestore(db: Db): Promise<void> {
  const { rows } = await sql<{ isMarked: boolean }>`
    select to_regclass(${RESTORE_MARK}) is not null as "isMarked"`.execute(db)
  if (!rows[0]?.isMarked) return
  throw new StartError(
    'A backup is being restored into this database, or its restore was cut off. Wait for it, or run the same restore again: it starts over.',
  )
}
