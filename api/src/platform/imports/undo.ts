import { sql } from 'kysely'
import { anyOf } from '../db/any-of.ts'
import type { Db } from '../db/connection.ts'
import { rowsAsTable } from '../db/rows-as-table.ts'
import type { Scope } from '../db/records/scope.ts'
import type { DB } from '../db/schema.ts'
import { AppError } from '../runtime/app-error.ts'
import type { ImportRun, ImportState, UndoneImport } from '../import-kind.ts'
import type { RecordImport, SavedRecord } from './declaration.ts'
import { someNames } from './in-use.ts'
import { findLaterImport } from './later-imports.ts'

/** The versions of records as they are now; with `lock` no one changes them until the transaction ends. */
async function loadVersions(db: Db, table: string, uids: readonly string[], lock = false): Promise<SavedRecord[]> {
  const { rows } = await sql<SavedRecord>`
    select uid, version from ${sql.table(table)} where uid = any(${[...uids]}::uuid[]) and deleted_at is null
     order by uid ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** The records of an import as they stand after it. Needs its transaction. */
export async function statesOf(
  db: Db,
  write: Pick<RecordImport<SavedRecord, never, never>['write'], 'table' | 'partsOf'>,
  added: readonly string[],
  before: readonly { uid: string; version: number; input: unknown }[],
): Promise<ImportState[]> {
  const changed = new Map(before.map((each) => [each.uid, each]))
  const uids = [...changed.keys(), ...added]
  const parts = await write.partsOf?.(db, uids)
  const now = await loadVersions(db, write.table, uids)
  return now.map(({ uid, version }) => {
    const was = changed.get(uid)
    const had = { uid, version, before: was?.input ?? null, parts: parts?.get(uid) }
    return was ? { ...had, versionBefore: was.version } : had
  })
}

const CANNOT = "This can't be undone"
const uidOf = ({ uid }: { uid: string }) => uid
const addedIn = ({ states }: ImportRun) => states.filter(({ before }) => before === null).map(uidOf)

type Undoable<Saved extends SavedRecord, Input, Names> = Pick<RecordImport<Saved, Input, Names>, 'kind' | 'write'>

/** Why an import can't be undone now, naming what is in the way; with `lock` that stays so until the transaction ends. */
export async function findObstacle<Saved extends SavedRecord, Input, Names>(
  { write }: Undoable<Saved, Input, Names>,
  db: Db,
  run: ImportRun,
  lock = false,
): Promise<string | undefined> {
  const now = await loadVersions(db, write.table, run.states.map(uidOf), lock)
  const versions = new Map(now.map(({ uid, version }) => [uid, version]))
  const parts = await write.partsOf?.(db, run.states.map(uidOf))
  const others = run.states.filter(
    ({ uid, version, parts: had }) => versions.get(uid) !== version || parts?.get(uid) !== had,
  )
  if (others.length > 0) {
    const { later, uids } = await findLaterImport(db, run.uid, others, versions)
    const names = someNames(await write.namesOf(db, uids))
    return later === undefined
      ? `${CANNOT}, because it was changed since: ${names}.`
      : `${CANNOT} before a later import, ${later}, which changed ${names}. Undo that one first.`
  }
  const added = addedIn(run)
  const inUse = added.length > 0 ? await write.inUse(db, added) : undefined
  return inUse === undefined ? undefined : `${CANNOT}. ${inUse}`
}

/** Undoes an import as a whole, or refuses with the records that are in the way. Needs a transaction. */
export async function undoRecordImport<Saved extends SavedRecord, Input, Names>(
  declared: Undoable<Saved, Input, Names>,
  { db, scope, run }: { db: Db; scope: Scope; run: ImportRun },
): Promise<UndoneImport> {
  const { write } = declared
  const obstacle = await findObstacle(declared, db, run, true)
  if (obstacle !== undefined) throw new AppError('undoRefused', { text: obstacle })
  const added = addedIn(run)
  await removeAdded(db, scope, write.table, added)
  const changes = run.states.flatMap(({ uid, version, before }) =>
    before === null ? [] : [{ uid, version, input: before as Input }],
  )
  if (changes.length > 0) {
    await write.change(db, scope, changes)
    await moveEarlierImports(db, run, await loadVersions(db, write.table, changes.map(uidOf)))
  }
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

/**
 * Earlier imports of the records can be undone again: each record is as it was before this import, at a newer version.
 * Without it the undo of pay rates would leave the users changed for good.
 */
async function moveEarlierImports(db: Db, run: ImportRun, now: readonly SavedRecord[]): Promise<void> {
  const versions = new Map(now.map(({ uid, version }) => [uid, version]))
  const moved = run.states.filter(({ versionBefore }) => versionBefore !== undefined)
  if (moved.length === 0) return
  const table = rowsAsTable('n', moved, {
    uid: ['uuid', uidOf],
    was: ['int4', ({ versionBefore }) => versionBefore],
    version: ['int4', ({ uid }) => versions.get(uid)],
  })
  await sql`
    with moved as materialized (select uid, was, version from ${table}), earlier as materialized (
      select r.uid from import_run r
       where r.uid <> ${run.uid} and r.undone_at is null and r.states is not null
         and exists (select 1 from jsonb_to_recordset(r.states) s (uid uuid, version int)
                       join moved m on m.uid = s.uid and m.was = s.version))
    update import_run r
       set states = (
         select jsonb_agg(case when m.uid is null then s.state
                               else jsonb_set(s.state, '{version}', to_jsonb(m.version)) end order by s.place)
           from jsonb_array_elements(r.states) with ordinality s (state, place)
           left join moved m on m.uid = (s.state ->> 'uid')::uuid and m.was = (s.state ->> 'version')::int)
      from earlier where earlier.uid = r.uid`.execute(db)
}
