import {
  type dependentsEndpoint,
  type Dependents,
  kindOfTable,
  type QueryOf,
  type RecordKindName,
  type RecordTable,
  type removeEndpoint,
  type restoreEndpoint,
  type ThingInTheWay,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'
import type { SqlFragment } from '../db/records/fragments.ts'
import type { Scope } from '../db/records/scope.ts'
import type { DB } from '../db/schema.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { AppError } from '../runtime/app-error.ts'
import { countDependents, refuseUnconfirmed } from './dependents.ts'

export { countRows } from './count.ts'
export type { DeletableRecord, DependentSource } from '../dependent-source.ts'
export { countDependents, describePast } from './dependents.ts'

type Step = (db: Db, scope: Scope, uid: string) => Promise<void>

interface RecordsToDelete {
  table: keyof DB
  get(db: Db, scope: Scope, uid: string): Promise<unknown>
  getKeptOrDeleted(db: Db, scope: Scope, uid: string): Promise<unknown>
  removeUnless(db: Db, scope: Scope, uid: string, refuse: (db: Db) => Promise<void>): Promise<{ uid: string }>
  restore(db: Db, scope: Scope, uid: string): Promise<unknown>
}

/** How one kind of record is deleted and restored. */
export interface Deletion {
  kind: RecordKindName
  records: RecordsToDelete
  /** Refuses to delete a record that is still needed. */
  refuse?: Step
  /** Changes what goes with the record, in the same transaction. */
  afterRemove?: Step
  /** The columns that refer to records which a restored one needs, with their tables and what they are to it. */
  needed?: Readonly<Record<string, readonly [table: RecordTable, noun: string]>>
  /** Refuses to restore for other reasons. */
  refuseRestore?: Step
  afterRestore?: Step
  /** Does what must be done before and after either change, in its transaction. */
  around?: <T>(db: Db, scope: Scope, change: DeletionChange, work: () => Promise<T>) => Promise<T>
}

interface DeletionChange {
  kind: 'delete' | 'restore'
  uid: string
}

const changeAlone: NonNullable<Deletion['around']> = (_db, _scope, _change, work) => work()

interface DeletionCall {
  db: Db
  scope: Scope
  uid: string
}

/** Deletes a record. With plays, pay or a published page behind it, the caller must have confirmed that. */
export const removeRecord = (
  { kernel }: App,
  { kind, records, refuse, afterRemove, around = changeAlone }: Deletion,
  { db, scope, uid, isConfirmed }: DeletionCall & { isConfirmed: boolean },
): Promise<{ uid: string }> =>
  inTransaction(db, (db) =>
    around(db, scope, { kind: 'delete', uid }, async () => {
      await records.removeUnless(db, scope, uid, async (db) => {
        await refuse?.(db, scope, uid)
        if (!isConfirmed) refuseUnconfirmed(await countDependents(kernel.dependents, db, { kind, uid }))
      })
      await afterRemove?.(db, scope, uid)
      return { uid }
    }),
  )

/** What hangs on a record, and why it can't be deleted. */
async function loadDependents(
  { kernel }: App,
  { kind, records, refuse }: Deletion,
  { db, scope, uid }: DeletionCall,
): Promise<Dependents> {
  await records.get(db, scope, uid)
  return {
    dependents: await countDependents(kernel.dependents, db, { kind, uid }),
    ...(await refusalOf(async () => refuse?.(db, scope, uid))),
  }
}

async function refusalOf(check: () => Promise<void>): Promise<Pick<Dependents, 'refusal' | 'inTheWay'>> {
  try {
    await check()
    return { refusal: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error
    const { inTheWay } = error.body
    return { refusal: error.message, ...(inTheWay && { inTheWay }) }
  }
}

/** Restores a deleted record; one that is not deleted stays as it is. */
const restoreRecord = (deletion: Deletion, { db, scope, uid }: DeletionCall): Promise<{ uid: string }> =>
  inTransaction(db, async (db) => {
    const { records, refuseRestore, afterRestore, around = changeAlone } = deletion
    await records.getKeptOrDeleted(db, scope, uid)
    // Not locked: shifts are locked after their trucks and drivers, and restoring finds only what is still deleted.
    if (!(await isDeleted(db, records.table, sql`${uid}`))) return { uid }
    await refuseMissing(db, deletion, uid)
    await refuseRestore?.(db, scope, uid)
    await around(db, scope, { kind: 'restore', uid }, async () => {
      await records.restore(db, scope, uid)
      await afterRestore?.(db, scope, uid)
    })
    return { uid }
  })

/** Whether a record is deleted. Without a lock that may change before the transaction ends. */
async function isDeleted(db: Db, table: keyof DB, uid: SqlFragment, lock = sql``): Promise<boolean> {
  const { rows } = await sql<{ isDeleted: boolean }>`
    select t.deleted_at is not null as "isDeleted" from ${sql.table(table)} t where t.uid = ${uid} ${lock}`.execute(db)
  return rows[0]?.isDeleted === true
}

/** How records are named, where it is not by a column `name`. */
const nameColumns: Partial<Record<keyof DB, string>> = { truck: 'number' }

/** A deleted record that another one needs. */
async function deletedRecord(db: Db, table: RecordTable, uid: string): Promise<ThingInTheWay> {
  const { rows } = await sql<{ name: string }>`
    select t.${sql.id(nameColumns[table] ?? 'name')} as name from ${sql.table(table)} t where t.uid = ${uid}`.execute(
    db,
  )
  const record = kindOfTable[table]
  return { kind: 'deletedRecord', name: rows[0]?.name ?? '', screen: null, act: { kind: 'restore', record, uid } }
}

/** Refuses to restore a record because of a deleted one, which the caller may restore first. */
export async function refuseUntilRestored(
  db: Db,
  { table, uid, what }: { table: RecordTable; uid: string; what: string },
): Promise<never> {
  throw new AppError('restoreRefused', {
    text: `This can't be restored. Its ${what} was deleted. Restore that first.`,
    inTheWay: [await deletedRecord(db, table, uid)],
  })
}

/** Refuses to restore a record that refers to a deleted one. */
export async function refuseMissing(
  db: Db,
  { records, needed = {} }: Pick<Deletion, 'records' | 'needed'>,
  uid: string,
): Promise<void> {
  for (const [column, [table, noun]] of Object.entries(needed)) {
    const { rows } = await sql<{ referred: string | null }>`
      select ${sql.ref(column)} as referred from ${sql.table(records.table)} where uid = ${uid}`.execute(db)
    const referred = rows[0]?.referred
    if (referred && (await isDeleted(db, table, sql`${referred}`, sql`for share`)))
      await refuseUntilRestored(db, { table, uid: referred, what: noun })
  }
}

/** Refuses to restore a record, with a sentence that says why. */
export function refuseToRestore(why: string): never {
  throw new AppError('restoreRefused', { text: `This can't be restored. ${why}` })
}

/** Whether the caller of a deletion has confirmed it. */
export const isConfirmedBy = ({ confirmed }: QueryOf<RemoveEndpoint>): boolean => confirmed === 'yes'

type RemoveEndpoint = ReturnType<typeof removeEndpoint>
type DependentsEndpoint = ReturnType<typeof dependentsEndpoint>
type RestoreEndpoint = ReturnType<typeof restoreEndpoint>

interface DeletionEndpoints {
  remove: RemoveEndpoint
  /** None where nothing can hang on the records. */
  dependents?: DependentsEndpoint
  restore: RestoreEndpoint
}

/** Serves how records of one kind are deleted and restored. */
export function serveDeletion(app: App, { remove, dependents, restore }: DeletionEndpoints, deletion: Deletion): void {
  serve(app, remove, async ({ db, scope, params: { uid }, query }) => ({
    data: await removeRecord(app, deletion, { db, scope, uid, isConfirmed: isConfirmedBy(query) }),
  }))
  if (dependents) serveDependents(app, dependents, deletion)
  serve(app, restore, async ({ db, scope, params: { uid } }) => ({
    data: await restoreRecord(deletion, { db, scope, uid }),
  }))
}

export const serveDependents = (app: App, endpoint: DependentsEndpoint, deletion: Deletion): void =>
  serve(app, endpoint, async ({ db, scope, params: { uid } }) => ({
    data: await loadDependents(app, deletion, { db, scope, uid }),
  }))
