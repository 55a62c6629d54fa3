import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { SqlFragment } from '../db/records/fragments.ts'
import { joinNames } from '../runtime/app-error.ts'

const MOST_NAMED = 10

/** What can refer to a record: a table, its column, and the words for its rows. */
export interface Use {
  table: string
  column: string
  words: string
  /** Which of its rows count; all that are not deleted unless said otherwise. */
  only?: SqlFragment
}

/** Records that something refers to, with what that is first among the uses; a few of them. */
async function findUsed(db: Db, uids: readonly string[], uses: readonly Use[]) {
  const parts = uses.map(
    ({ table, column, words, only = sql`t.deleted_at is null` }, place) => sql`
    (select distinct t.${sql.id(column)} as uid, ${words}::text as words, ${sql.lit(place)} as place from ${sql.table(table)} t
      where t.${sql.id(column)} = any(${[...uids]}::uuid[]) and ${only} limit ${sql.lit(MOST_NAMED + 1)})`,
  )
  const { rows } = await sql<{ uid: string; words: string }>`
    select uid, words from (${sql.join(parts, sql` union all `)}) found order by place`.execute(db)
  return rows.filter(({ words }) => words === rows[0]?.words)
}

/** Names of records of a table, in their order. */
export async function namesIn(db: Db, table: string, column: string, uids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${sql.id(column)} as name from ${sql.table(table)} where uid = any(${[...uids]}::uuid[]) order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** Names for a sentence; of many the first ones. */
export const someNames = (names: readonly string[]): string =>
  joinNames(names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), 'others'] : names)

/** Why added records cannot go again, in a sentence; undefined if nothing refers to them. */
export function refuseWhileUsed(table: string, column: string, uses: readonly Use[]) {
  return async (db: Db, uids: readonly string[]): Promise<string | undefined> => {
    const used = await findUsed(db, uids, uses)
    const [first] = used
    if (!first) return undefined
    const names = await namesIn(
      db,
      table,
      column,
      used.map(({ uid }) => uid),
    )
    return `${someNames(names)} ${names.length > 1 ? 'have' : 'has'} ${first.words} by now.`
  }
}
