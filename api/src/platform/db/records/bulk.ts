import { sql } from 'kysely'
import { AppError, refuseFields } from '../../runtime/app-error.ts'
import type { Db } from '../connection.ts'
import type { RecordKind } from './declaration.ts'
import { Reference } from './references.ts'
import type { Scope } from './scope.ts'
import { explained } from './writing.ts'

type Given = Record<string, unknown>

/** Locks what rows refer to, with one statement for each column, and refuses a column whose record is missing. */
async function lockReferences(db: Db, scope: Scope, rows: readonly Given[]): Promise<void> {
  const byColumn = new Map<string, Map<string, Reference>>()
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) {
      if (!(value instanceof Reference)) continue
      const known = byColumn.get(column) ?? new Map<string, Reference>()
      byColumn.set(column, known.set(value.uid, value))
    }
  }
  for (const references of byColumn.values()) {
    const [first] = references.values()
    const missing = await first?.missing(db, scope, Object.fromEntries([...references.keys()].map((uid) => [uid, uid])))
    const [sentence] = Object.values(missing ?? {})
    if (first && sentence) refuseFields({ [first.field]: sentence })
  }
}

/** Rows as one JSON text: thousands of them are one parameter. Columns of JSON come as text, as single writes have them. */
function asTable(table: string, rows: readonly Given[], jsonColumns: readonly string[]) {
  const plain = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        if (value instanceof Reference) return [column, value.uid]
        return [column, typeof value === 'string' && jsonColumns.includes(column) ? JSON.parse(value) : value]
      }),
    ),
  )
  return sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(plain)}::json)`
}

/** Adds rows that have the same columns in one statement; answers their uids in the order of the rows. */
export async function createRows<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  rows: readonly Given[],
): Promise<string[]> {
  const [first] = rows
  if (!first) return []
  await lockReferences(db, scope, rows)
  const columns = sql.join(Object.keys(first).map((name) => sql.id(name)))
  // In the order of the rows: lists that are otherwise equal are in the order in which they were made.
  const { rows: uids } = await sql<{ uid: string }>`
    select new_uid() as uid from generate_series(1, ${sql.lit(rows.length)}) order by 1`.execute(db)
  const keyed = rows.map((row, index) => ({ ...row, uid: uids[index]?.uid }))
  const { uid: changedBy, address } = scope.actor
  await explained(
    kind.taken,
    sql`insert into ${sql.table(kind.table)} (uid, ${columns}, changed_by, changed_from)
        select uid, ${columns}, ${changedBy}::uuid, ${address} from ${asTable(kind.table, keyed, kind.jsonColumns)}`.execute(
      db,
    ),
  )
  return uids.map(({ uid }) => uid)
}

/** Changes rows that have the same columns in one statement. Refused as a whole if one is not at its version any more. */
export async function changeRows<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  rows: readonly (Given & { uid: string; version: number })[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  await lockReferences(db, scope, rows)
  const { uid: _uid, version: _version, ...columns } = first
  const sets = [
    ...Object.keys(columns).map((name) => sql`${sql.id(name)} = n.${sql.id(name)}`),
    sql`changed_by = ${scope.actor.uid}::uuid`,
    sql`changed_from = ${scope.actor.address}`,
  ]
  const { numAffectedRows } = await explained(
    kind.taken,
    sql`update ${sql.table(kind.table)} t set ${sql.join(sets)}
          from ${asTable(kind.table, rows, kind.jsonColumns)} n
         where t.uid = n.uid and t.version = n.version and t.deleted_at is null`.execute(db),
  )
  if (Number(numAffectedRows) !== rows.length) throw new AppError('staleVersion')
}
