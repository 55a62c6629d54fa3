import type { RecordChange } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { NameColumns } from '../db/name-columns.ts'
import type { DB } from '../db/schema.ts'

/** Columns that hold another record's uid, and the table of that record. */
export type HistoryReferences = Readonly<Record<string, keyof DB>>

type Value = RecordChange['fields'][number]['old']
export type StoredChanges = Record<string, [before: Value, after: Value]>

type Names = Map<string, string>
const nameKey = (table: string, uid: unknown) => `${table}/${String(uid)}`

/** `home_base_uid` becomes `homeBase`. */
export const toFieldName = (column: string) =>
  column.replace(/_uid$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const isPart = (value: unknown): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces uids by names, also inside a part of a record, where the names come first. */
export function describeValue(value: Value, column: string, references: HistoryReferences, names: Names): Value {
  if (isPart(value)) {
    const columns = Object.entries(value).toSorted(
      ([one], [other]) => Number(other in references) - Number(one in references),
    )
    return Object.fromEntries(
      columns.map(([each, inner]) => [toFieldName(each), describeValue(inner, each, references, names)]),
    )
  }
  const table = references[column]
  return table && value !== null ? (names.get(nameKey(table, value)) ?? value) : value
}

/** Loads the names of all records that the changes refer to. */
export async function loadNames(
  db: Db,
  changes: [string, [Value, Value]][],
  { references, nameColumns }: { references: HistoryReferences; nameColumns: NameColumns },
): Promise<Names> {
  const names: Names = new Map()
  const values = changes
    .flatMap(([column, pair]) => pair.map((value): [string, Value] => [column, value]))
    .flatMap(([column, value]) => (isPart(value) ? Object.entries(value) : [[column, value] as [string, Value]]))
  for (const table of new Set(Object.values(references))) {
    const uids = values.filter(([column, value]) => references[column] === table && value !== null)
    if (uids.length === 0) continue
    const found = await db
      .selectFrom(sql<{ uid: string }>`${sql.table(table)}`.as('record'))
      .select(['uid', sql<string>`${sql.ref(nameColumns[table] ?? 'name')}`.as('name')])
      .where('uid', 'in', [...new Set(uids.map(([, uid]) => uid as string))])
      .execute()
    for (const { uid, name } of found) names.set(nameKey(table, uid), name)
  }
  return names
}
