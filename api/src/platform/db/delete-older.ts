import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connection.ts'
import type { DB } from './schema.ts'

const AT_ONCE = 5000

interface OlderRows {
  /** The time by which rows grow old. An index on it keeps each piece cheap. */
  column: string
  before: RawBuilder<unknown>
  signal?: AbortSignal | undefined
}

/**
 * Deletes rows of a table that are older than a moment, oldest first, in pieces of bounded size that are transactions of
 * their own. It stops between two pieces when the signal fires; rows that another node is deleting are left to it.
 */
export async function deleteOlder(db: Db, table: keyof DB, { column, before, signal }: OlderRows): Promise<void> {
  const isOld = sql`${sql.ref(column)} < ${before}`
  // A row that is refreshed at this moment is compared again before it is deleted.
  const piece = sql`
    delete from ${sql.table(table)} where ${isOld} and ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOld}
       order by ${sql.ref(column)} limit ${sql.lit(AT_ONCE)} for update skip locked))`
  await repeatWhileFull(() => piece.execute(db), signal)
}

/** Repeats a statement that deletes up to `size` rows until it finds fewer. */
export async function repeatWhileFull(
  deletePiece: () => Promise<{ numAffectedRows?: bigint }>,
  signal: AbortSignal | undefined,
  size = AT_ONCE,
): Promise<void> {
  for (;;) {
    if (signal?.aborted) return
    const { numAffectedRows } = await deletePiece()
    if (Number(numAffectedRows) < size) return
  }
}
