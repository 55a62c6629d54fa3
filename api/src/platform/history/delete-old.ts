import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

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
