import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { AppError } from '../../runtime/app-error.ts'
import { type Db, prepared } from '../connection.ts'
import type { RecordKind } from './declaration.ts'
import { allOf, type SqlFragment } from './fragments.ts'
import { getRow } from './reading.ts'
import { explainMissingReference, Reference } from './references.ts'
import type { Scope } from './scope.ts'
import type { ValueOf } from './statement-cache.ts'

/** The columns to write, with the actor as their writer. */
const signedColumns = (scope: Scope, given: object): Record<string, unknown> => ({
  ...given,
  changed_by: scope.actor.uid,
  changed_from: scope.actor.address,
})

/** The values of a statement that writes these columns. */
const columnValues = (columns: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, value instanceof Reference ? value.uid : value]),
  )

const isExpression = (value: unknown) => typeof value === 'object' && value !== null && 'toOperationNode' in value

/** What the text of a writing statement depends on; undefined if it also depends on the actor or on values. */
function shapeOf(scope: Scope, columns: Record<string, unknown>, part: string): string | undefined {
  if (scope.rows === 'own' || Object.values(columns).some(isExpression)) return undefined
  const names = Object.entries(columns).map(([name, value]) =>
    value instanceof Reference ? `${name}=${value.field}` : name,
  )
  return `${part}/${names.join()}`
}

interface Written {
  /** Statements in front of the write that lock the referenced rows. */
  locks: SqlFragment
  names: SqlFragment[]
  values: SqlFragment[]
}

function writtenColumns(scope: Scope, columns: Record<string, unknown>, valueOf: ValueOf): Written {
  const locks: SqlFragment[] = []
  const values = Object.entries(columns).map(([column, value]) => {
    if (!(value instanceof Reference)) return sql`${valueOf(column)}`
    const name = sql.id(`n${locks.length}`)
    locks.push(sql`${name} as (${value.lock(scope, valueOf(column))}), `)
    return sql`must_be_there((select uid from ${name}), ${sql.lit(value.field)}, ${sql.lit(value.noun)})`
  })
  return { locks: sql.join(locks, sql``), names: Object.keys(columns).map((name) => sql.id(name)), values }
}

/** Makes the errors of constraints those that the declaration says. */
export async function explained<R>(taken: RecordKind<never, never>['taken'], work: Promise<R>): Promise<R> {
  try {
    return await work
  } catch (error) {
    explainMissingReference(error)
    const [code, field] = (error instanceof DatabaseError && taken?.[error.constraint ?? '']) || []
    if (!code) throw error
    const refused = new AppError(code)
    throw field ? new AppError(code, { fields: { [field]: refused.message } }) : refused
  }
}

export async function createRow<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  given: object,
): Promise<Row> {
  const columns = signedColumns(scope, given)
  const shape = shapeOf(scope, columns, 'create')
  const statement = kind.statements.compile<Row>(shape, columnValues(columns), (valueOf) => {
    const { locks, names, values } = writtenColumns(scope, columns, valueOf)
    const insert = sql`insert into ${sql.table(kind.table)} (${sql.join(names)}) values (${sql.join(values)}) returning *`
    return prepared(sql`with ${locks}t as (${insert}) select ${kind.columns} from t ${kind.joins}`)
  })
  const { rows } = await explained(kind.taken, db.executeQuery(statement))
  return kind.finish(rows[0] as Row)
}

interface Change {
  uid: string
  /** The version that the row must still have, if any. */
  version?: number
  given: object
  from?: 'kept' | 'deleted'
}

export async function changeRow<Row extends object, Query>(
  kind: RecordKind<Row, Query>,
  db: Db,
  scope: Scope,
  { uid, version, given, from = 'kept' }: Change,
): Promise<Row> {
  const columns = signedColumns(scope, given)
  const shape = shapeOf(scope, columns, ['change', from, version !== undefined].join())
  const values = { ...columnValues(columns), $uid: uid, $version: version }
  const statement = kind.statements.compile<Row>(shape, values, (valueOf) => {
    const { locks, names, values } = writtenColumns(scope, columns, valueOf)
    const sets = names.map((name, index) => sql`${name} = ${values[index]}`)
    const conditions = [sql`t.uid = ${valueOf('$uid')}`]
    conditions.push(from === 'kept' ? sql`t.deleted_at is null` : sql`t.deleted_at is not null`)
    if (version !== undefined) conditions.push(sql`t.version = ${valueOf('$version')}`)
    if (scope.rows === 'own') conditions.push(kind.own(scope.actor))
    const update = sql`update ${sql.table(kind.table)} t set ${sql.join(sets)} where ${allOf(conditions)} returning *`
    return prepared(sql`with ${locks}t as (${update}) select ${kind.columns} from t ${kind.joins}`)
  })
  const { rows } = await explained(kind.taken, db.executeQuery(statement))
  if (rows[0]) return kind.finish(rows[0])
  await getRow(kind, db, scope, uid)
  throw new AppError('staleVersion')
}
