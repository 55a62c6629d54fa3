import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { AppError } from '../../runtime/app-error.ts'
import { type Db, prepared } from '../connection.ts'
import type { RecordKind } from './declaration.ts'
import { allOf, type SqlFragment } from './fragments.ts'
import { getRow } from './reading.ts'
import { explainMissingReference, Reference } from './references.ts'
import type { Scope } from './scope.ts'

interface Written {
  /** Statements in front of the write that lock the referenced rows. */
  locks: SqlFragment
  names: SqlFragment[]
  values: SqlFragment[]
}

/** The columns to write, with the actor as their writer. */
function writtenColumns(scope: Scope, given: object): Written {
  const locks: SqlFragment[] = []
  const valueOf = (value: unknown): SqlFragment => {
    if (!(value instanceof Reference)) return sql`${value}`
    const name = sql.id(`n${locks.length}`)
    locks.push(sql`${name} as (${value.lock(scope)}), `)
    return sql`must_be_there((select uid from ${name}), ${sql.lit(value.field)}, ${sql.lit(value.noun)})`
  }
  const columns = Object.entries({ ...given, changed_by: scope.actor.uid, changed_from: scope.actor.address })
  const values = columns.map(([, value]) => valueOf(value))
  return { locks: sql.join(locks, sql``), names: columns.map(([name]) => sql.id(name)), values }
}

/** Makes the errors of constraints those that the declaration says. */
async function explained<R>(taken: RecordKind<never, never>['taken'], work: Promise<R>): Promise<R> {
  try {
    return await work
  } catch (error) {
    explainMissingReference(error)
    const [code, field] = (error instanceof DatabaseError && taken[error.constraint ?? '']) || []
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
  const { locks, names, values } = writtenColumns(scope, given)
  const statement = sql<Row>`
    with ${locks}t as (insert into ${sql.table(kind.table)} (${sql.join(names)}) values (${sql.join(values)}) returning *)
    select ${kind.columns} from t ${kind.joins}`
  const { rows } = await explained(kind.taken, prepared(statement).execute(db))
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
  const { locks, names, values } = writtenColumns(scope, given)
  const sets = names.map((name, index) => sql`${name} = ${values[index]}`)
  const conditions = [sql`t.uid = ${uid}`, from === 'kept' ? sql`t.deleted_at is null` : sql`t.deleted_at is not null`]
  if (version !== undefined) conditions.push(sql`t.version = ${version}`)
  if (scope.rows === 'own') conditions.push(kind.own(scope.actor))
  const statement = sql<Row>`
    with ${locks}t as (update ${sql.table(kind.table)} t set ${sql.join(sets)} where ${allOf(conditions)} returning *)
    select ${kind.columns} from t ${kind.joins}`
  const { rows } = await explained(kind.taken, prepared(statement).execute(db))
  if (rows[0]) return kind.finish(rows[0])
  await getRow(kind, db, scope, uid)
  throw new AppError('staleVersion')
}
