import { UNDO_HOURS, type ImportKindName } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../db/any-of.ts'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { DB } from '../db/schema.ts'
import { AppError } from '../runtime/app-error.ts'
import type { UndoneImport } from '../import-kind.ts'
import type { RecordImport, SavedRecord } from './declaration.ts'
import { someNames } from './in-use.ts'

/** A record of an import. */
interface ImportState {
  uid: string
  /** After the import. */
  version: number
  /** What its form would have saved before; null if the import added it. */
  before: unknown
  /** What belonged to it after the import, where its version does not count that. */
  parts?: string | undefined
}

interface ImportRun {
  kind: ImportKindName
  fileName: string
  write: Pick<RecordImport<SavedRecord, never, never>['write'], 'table' | 'partsOf'>
  added: readonly string[]
  /** Uids of changed records, with their fields before. */
  before: ReadonlyMap<string, unknown>
}

/** The versions of records as they are now; with `lock` no one changes them until the transaction ends. */
async function loadVersions(db: Db, table: string, uids: readonly string[], lock = false): Promise<SavedRecord[]> {
  const { rows } = await sql<SavedRecord>`
    select uid, version from ${sql.table(table)} where uid = any(${[...uids]}::uuid[]) and deleted_at is null
     order by uid ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** Keeps what an import changed, so that it can be undone. Needs its transaction. */
export async function recordImportRun(db: Db, { actor }: Scope, run: ImportRun): Promise<string> {
  const { kind, fileName, write, added, before } = run
  const uids = [...before.keys(), ...added]
  const now = await loadVersions(db, write.table, uids)
  const parts = await write.partsOf?.(db, uids)
  const states = now.map(({ uid, version }): ImportState => ({
    uid,
    version,
    before: before.get(uid) ?? null,
    parts: parts?.get(uid),
  }))
  const { uid } = await db
    .insertInto('import_run')
    .values({ kind, by_uid: actor.uid, file_name: fileName, states: JSON.stringify(states) })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

const refuse = (text: string) => new AppError('undoRefused', { text })

/** Loads an import of the caller that can still be undone, and locks it against a second undo. */
async function lockRun(db: Db, { actor }: Scope, { kind, uid }: { kind: ImportKindName; uid: string }) {
  const run = await db
    .selectFrom('import_run')
    .select(['undone_at', sql<ImportState[]>`states`.as('states')])
    .select(sql<boolean>`at < now() - ${sql.lit(UNDO_HOURS)} * interval '1 hour'`.as('isOld'))
    .where('uid', '=', uid)
    .where('kind', '=', kind)
    .where('by_uid', '=', actor.uid)
    .forUpdate()
    .executeTakeFirst()
  if (!run) throw new AppError('notFound')
  if (run.undone_at !== null) throw refuse('This was undone already.')
  if (run.isOld) throw refuse(`Only imports of the last ${UNDO_HOURS} hours can be undone.`)
  return run.states
}

/** Undoes an import as a whole, or refuses with the records that are in the way. Needs a transaction. */
export async function undoRecordImport<Saved extends SavedRecord, Input, Names>(
  { kind, write }: Pick<RecordImport<Saved, Input, Names>, 'kind' | 'write'>,
  { db, scope, uid }: { db: Db; scope: Scope; uid: string },
): Promise<UndoneImport> {
  const states = await lockRun(db, scope, { kind, uid })
  const uids = states.map((state) => state.uid)
  const now = new Map((await loadVersions(db, write.table, uids, true)).map((row) => [row.uid, row.version]))
  const parts = await write.partsOf?.(db, uids)
  const isChanged = ({ uid, version, parts: had }: ImportState) => now.get(uid) !== version || parts?.get(uid) !== had
  const others = states.filter(isChanged).map((state) => state.uid)
  if (others.length > 0) {
    const names = someNames(await write.namesOf(db, others))
    throw refuse(`This can't be undone, because it was changed since: ${names}.`)
  }
  const added = states.filter(({ before }) => before === null).map((state) => state.uid)
  const inUse = added.length > 0 ? await write.inUse(db, added) : undefined
  if (inUse !== undefined) throw refuse(`This can't be undone. ${inUse}`)
  await removeAdded(db, scope, write.table, added)
  const changes = states.flatMap(({ uid, version, before }) =>
    before === null ? [] : [{ uid, version, input: before as Input }],
  )
  if (changes.length > 0) await write.change(db, scope, changes)
  await db
    .updateTable('import_run')
    .set({ undone_at: sql`now()` })
    .where('uid', '=', uid)
    .execute()
  return { removed: added.length, restored: changes.length }
}

/** Deletes what an import added; its history stays. */
async function removeAdded(db: Db, { actor }: Scope, table: string, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return
  const removal = { deleted_at: sql<string>`now()`, changed_by: actor.uid, changed_from: actor.address }
  await db
    .updateTable(table as 'truck' & keyof DB)
    .set(removal)
    .where('uid', '=', anyOf(uids))
    .execute()
}
