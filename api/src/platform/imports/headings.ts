import type { ImportKindName } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'

// A company gets its files from a few programs; the newest choices are those in use.
const MOST_REMEMBERED = 200

type ChosenColumns = readonly (string | null)[]

/** The columns that were chosen by hand for earlier files, by the key of their headings. */
export async function loadChosenColumns(db: Db, kind: ImportKindName): Promise<Record<string, ChosenColumns>> {
  const found = await db
    .selectFrom('import_headings')
    .select(['headings', sql<ChosenColumns>`columns`.as('columns')])
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .limit(MOST_REMEMBERED)
    .execute()
  return Object.fromEntries(found.map(({ headings, columns }) => [headings, columns]))
}

interface Chosen {
  kind: ImportKindName
  key: string
  columns: ChosenColumns
}

/** Remembers the columns of a set of headings for the next file that has them. */
export async function rememberColumns(db: Db, { actor }: Scope, { kind, key, columns }: Chosen): Promise<void> {
  const chosen = { columns: JSON.stringify(columns), at: sql<string>`now()`, by_uid: actor.uid }
  await db
    .insertInto('import_headings')
    .values({ kind, headings: key, ...chosen })
    .onConflict((known) => known.columns(['kind', 'headings']).doUpdateSet(chosen))
    .execute()
}
