import { SENT_LATER_MINUTES } from '@roadshow/contract'
import { createQueryId, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'

/** A part of a statement, with its values. */
export type SqlFragment = RawBuilder<unknown>

/** The text and values of a statement: what a cache of its results is keyed by. */
export const compileFragment = (fragment: SqlFragment) =>
  new PostgresQueryCompiler().compileQuery(fragment.toOperationNode(), createQueryId())

/** Renders a fragment without values to text once, so that statements with it are compiled faster. */
export function renderOnce(fragment: SqlFragment): SqlFragment {
  const { sql: text, parameters } = compileFragment(fragment)
  if (parameters.length > 0) throw new Error(`A fixed part of a statement has values: ${text}`)
  return sql.raw(text)
}

export const allOf = (conditions: readonly SqlFragment[]): SqlFragment => sql.join(conditions, sql` and `)

/** A select list: each fragment under the name of its field. */
export const selectList = (columns: Record<string, SqlFragment>): SqlFragment =>
  sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.id(name)}`),
    sql`, `,
  )

/** A joined record as `{ uid, name }`, or null if there is none. */
export const uidAndName = (alias: string, name = 'name'): SqlFragment => {
  const uid = sql.id(alias, 'uid')
  return sql`case when ${uid} is not null then json_build_object('uid', ${uid}, 'name', ${sql.id(alias, name)}) end`
}

const EMPTY = sql``

/** The fragment if the condition holds, else nothing. */
export const includeIf = (condition: unknown, fragment: () => SqlFragment): SqlFragment =>
  condition ? fragment() : EMPTY

/** A pattern that finds a word anywhere in a text. */
export const likePattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

export const searchWords = (search: string | undefined): string[] => search?.split(/\s+/).filter(Boolean) ?? []

/** An instant as text in JSON, as the API writes it. */
export const utcText = (column: string): SqlFragment =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Whether something arrived later than right after it was done. */
export const isSentLater = (at: string, receivedAt: string): SqlFragment =>
  sql`${sql.ref(receivedAt)} > ${sql.ref(at)} + ${sql.lit(`${SENT_LATER_MINUTES} minutes`)}::interval`
