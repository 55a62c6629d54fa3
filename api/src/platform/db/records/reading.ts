import { sql } from 'kysely'
import { AppError } from '../../runtime/app-error.ts'
import { type Db, prepared } from '../connection.ts'
import { presentRows, type RecordKind } from './declaration.ts'
import { includeIf } from './fragments.ts'
import type { Scope } from './scope.ts'

/** The row with this uid, if the actor may see it, and on request even if it is deleted. */
export async function findRow<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  uid: string,
  withDeleted = kind.withDeleted !== undefined,
): Promise<Row | undefined> {
  const shape = scope.rows === 'all' ? `find${withDeleted ? ' deleted' : ''}` : undefined
  const statement = kind.statements.compile<Row>(shape, { uid }, (valueOf) => {
    const kept = includeIf(!withDeleted, () => sql` and t.deleted_at is null`)
    const own = includeIf(scope.rows === 'own', () => sql` and ${kind.own(scope.actor)}`)
    return prepared(sql`select ${kind.columns} from ${kind.source} where t.uid = ${valueOf('uid')}${kept}${own}`)
  })
  const { rows } = await db.executeQuery(statement)
  return (await presentRows(kind, { db, scope }, rows))[0]
}

/** The rows with these uids in the same order, in one statement; undefined where the actor may see none. */
export async function findRows<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  uids: readonly string[],
): Promise<(Row | undefined)[]> {
  const kept = includeIf(!kind.withDeleted, () => sql` and t.deleted_at is null`)
  const own = includeIf(scope.rows === 'own', () => sql` and ${kind.own(scope.actor)}`)
  const { rows } = await sql<Row & { $uid: string }>`
    select ${kind.columns}, t.uid as "$uid" from ${kind.source} where t.uid = any(${uids})${kept}${own}`.execute(db)
  const shown = rows.map(({ $uid: _uid, ...row }) => row as unknown as Row)
  const presented = await presentRows(kind, { db, scope }, shown)
  const found = new Map(presented.map((row, index) => [rows[index]?.$uid, row]))
  return uids.map((uid) => found.get(uid))
}

/** The row with this uid; an error if there is none that the actor may see. */
export async function getRow<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  uid: string,
  withDeleted?: boolean,
): Promise<Row> {
  const found = await findRow(kind, db, scope, uid, withDeleted)
  if (!found) throw new AppError('notFound')
  return found
}
