import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { SqlFragment } from '../db/records/fragments.ts'

/** What can refer to a record: a table, its column, and the words for its rows. */
export interface Use {
  table: string
  column: string
  words: string
  /** Which of its rows count; all that are not deleted unless said otherwise. */
  only?: SqlFragment
}

/** The first of several records that something refers to, and what that is. */
async function findUse(
  db: Db,
  uids: readonly string[],
  uses: readonly Use[],
): Promise<{ uid: string; words: string } | undefined> {
  const parts = uses.map(
    ({ table, column, words, only = sql`t.deleted_at is null` }) => sql`
    (select t.${sql.id(column)} as uid, ${words}::text as words from ${sql.table(table)} t
      where t.${sql.id(column)} = any(${[...uids]}::uuid[]) and ${only} limit 1)`,
  )
  const { rows } = await sql<{ uid: string; words: string }>`${sql.join(parts, sql` union all `)} limit 1`.execute(db)
  return rows[0]
}

/** Names of records of a table, in their order. */
export async function namesIn(db: Db, table: string, column: string, uids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${sql.id(column)} as name from ${sql.table(table)} where uid = any(${[...uids]}::uuid[]) order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Why added records cannot go again, in a sentence; undefined if nothing refers to them. */
export function refuseWhileUsed(table: string, column: string, uses: readonly Use[]) {
  return async (db: Db, uids: readonly string[]): Promise<string | undefined> => {
    const use = await findUse(db, uids, uses)
    if (!use) return undefined
    const [name = 'A record'] = await namesIn(db, table, column, [use.uid])
    return `${name} has ${use.words} by now.`
  }
}
