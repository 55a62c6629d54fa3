import { type Insertable, sql, type Updateable } from 'kysely'
import { type Db, inTransaction } from '../connection.ts'
import type { DB } from '../schema.ts'
import { type Declaration, type ListQuery, prepareKind } from './declaration.ts'
import { compileFragment } from './fragments.ts'
import { readPage, streamRows } from './paging.ts'
import { findRow, findRows, getRow } from './reading.ts'
import { type Reference, references } from './references.ts'
import type { Scope } from './scope.ts'
import { changeRows, createRows } from './bulk.ts'
import { changeRow, createRow } from './writing.ts'

export { allRows, type Declaration, type ListQuery, noOwnRows } from './declaration.ts'

type Unsigned<Row> = Omit<Row, 'uid' | 'version' | 'changed_by' | 'changed_from'>
type WithReferences<Row> = { [Column in keyof Row]: Row[Column] | Reference }
type Write<T extends keyof DB> = WithReferences<Unsigned<Updateable<DB[T]>>>
type Create<T extends keyof DB> = WithReferences<Unsigned<Insertable<DB[T]>>>

const snakeCase = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The queries of one kind of record, derived from its declaration. */
export function records<T extends keyof DB, Row extends object, Query extends ListQuery>(
  declaration: Declaration<T, Row, Query>,
) {
  const kind = prepareKind(declaration)
  const { lockRow, ...referring } = references(kind)
  const get = (db: Db, scope: Scope, uid: string) => getRow(kind, db, scope, uid)

  /** Deletes softly: the row and its history are kept. */
  async function remove(db: Db, scope: Scope, uid: string): Promise<{ uid: string }> {
    await changeRow(kind, db, scope, { uid, given: { deleted_at: new Date() } })
    return { uid }
  }

  return {
    table: declaration.table,
    /** The statement for all rows, for measurements beside a bare server. */
    select: compileFragment(sql`select ${kind.columns} from ${kind.source}`).sql,
    /** Columns whose history outsiders read: those of fields that they see, and of their references. */
    outsiderColumns: Object.keys(declaration.columns)
      .filter((field) => !(field in kind.hidden))
      .flatMap((field) => [snakeCase(field), `${snakeCase(field)}_uid`]),
    owner: declaration.owner,
    page: (db: Db, scope: Scope, query: Query) => readPage(kind, { db, scope, query }),
    stream: (db: Db, scope: Scope, query: Query) => streamRows(kind, { db, scope, query }),
    find: (db: Db, scope: Scope, uid: string) => findRow(kind, db, scope, uid),
    findMany: (db: Db, scope: Scope, uids: readonly string[]) => findRows(kind, db, scope, uids),
    get,
    /** The row with this uid even if it is deleted, for actors who could see it before. */
    getKeptOrDeleted: (db: Db, scope: Scope, uid: string) => getRow(kind, db, scope, uid, true),
    create: (db: Db, scope: Scope, given: Create<T>) => createRow(kind, db, scope, given),
    /** Changes a row that still has the given version. */
    update: (db: Db, scope: Scope, uid: string, version: number, given: Write<T>) =>
      changeRow(kind, db, scope, { uid, version, given }),
    /** Adds rows that have the same columns in one statement; answers their uids in that order. Needs a transaction. */
    createMany: (db: Db, scope: Scope, given: readonly Create<T>[]) =>
      createRows(kind, db, scope, given as readonly Record<string, unknown>[]),
    /** Changes rows that have the same columns and still have their versions. Needs a transaction. */
    updateMany: (db: Db, scope: Scope, given: readonly (Write<T> & { uid: string; version: number })[]) =>
      changeRows(kind, db, scope, given as readonly (Record<string, unknown> & { uid: string; version: number })[]),
    remove,
    /** Deletes a row unless `refuse` throws. The row is locked, so that no new reference to it can appear meanwhile. */
    removeUnless: (db: Db, scope: Scope, uid: string, refuse: (db: Db) => Promise<void>) =>
      inTransaction(db, async (db) => {
        await lockRow(db, uid)
        await get(db, scope, uid)
        await refuse(db)
        return remove(db, scope, uid)
      }),
    /** Undoes a deletion. */
    restore: (db: Db, scope: Scope, uid: string) =>
      changeRow(kind, db, scope, { uid, given: { deleted_at: null }, from: 'deleted' }),
    lockRow,
    ...referring,
  }
}
