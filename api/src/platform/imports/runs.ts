import {
  importAccess,
  importKinds,
  type ImportKindName,
  type ImportRunEntry,
  type imports,
  type Page,
  type QueryOf,
  rowAccessFor,
  UNDO_HOURS,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { logList } from '../db/records/log-list.ts'
import { namedRefOf } from '../db/records/named-ref.ts'
import type { Scope } from '../db/records/scope.ts'
import { AppError } from '../runtime/app-error.ts'
import type { SweepContext } from '../lifetimes/lifetime.ts'
import type { ImportKind, ImportRun, ImportState, SavedImport } from '../import-kind.ts'

const isOld = sql<boolean>`r.at < now() - ${sql.lit(UNDO_HOURS)} * interval '1 hour'`
const TOO_OLD = `Only imports of the last ${UNDO_HOURS} hours can be undone.`
const UNDONE = 'This was undone already.'

interface NewRun {
  kind: ImportKindName
  fileName: string
  /** Rows of the file that were not saved. */
  skipped: number
}

/** Keeps what an import saved, so that it can be undone. Needs its transaction. */
export async function recordImportRun(
  db: Db,
  { actor }: Scope,
  { kind, fileName, skipped }: NewRun,
  { uid, added, changed, states }: SavedImport,
): Promise<string> {
  const run = await db
    .insertInto('import_run')
    .values({
      ...(uid !== undefined && { uid }),
      kind,
      by_uid: actor.uid,
      file_name: fileName,
      added: added.length,
      changed,
      skipped,
      states: states ? JSON.stringify(states) : null,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return run.uid
}

const refuse = (text: string) => new AppError('undoRefused', { text })

/**
 * Loads an import that can still be undone. Undoing one moves the versions of earlier ones, so that all of them are locked,
 * in one order: two at a time would wait for each other.
 */
export async function lockImportRun(db: Db, { kind, uid }: { kind: ImportKindName; uid: string }): Promise<ImportRun> {
  await db
    .selectFrom('import_run as r')
    .select('r.uid')
    .where('r.undone_at', 'is', null)
    .where(sql<boolean>`not ${isOld}`)
    .orderBy('r.uid')
    .forUpdate()
    .execute()
  const run = await db
    .selectFrom('import_run as r')
    .select(['r.uid', 'r.undone_at', sql<ImportState[] | null>`r.states`.as('states'), isOld.as('isOld')])
    .where('r.uid', '=', uid)
    .where('r.kind', '=', kind)
    .executeTakeFirst()
  if (!run) throw new AppError('notFound')
  if (run.undone_at !== null) throw refuse(UNDONE)
  if (run.isOld) throw refuse(TOO_OLD)
  return { uid, states: run.states ?? [] }
}

export const markUndone = (db: Db, { actor }: Scope, uid: string) =>
  db
    .updateTable('import_run')
    .set({ undone_at: sql`now()`, undone_by_uid: actor.uid })
    .where('uid', '=', uid)
    .execute()

type Query = QueryOf<typeof imports.list>

function rows(db: Db, { kind = [] }: Pick<Query, 'kind'>) {
  return db
    .selectFrom('import_run as r')
    .innerJoin('user_account as u', 'u.uid', 'r.by_uid')
    .leftJoin('user_account as x', 'x.uid', 'r.undone_by_uid')
    .select(['r.uid', 'r.at', 'r.kind', 'r.file_name', 'r.added', 'r.changed', 'r.skipped', 'r.undone_at'])
    .select(['u.uid as by_uid', 'u.name as by_name', 'x.uid as undone_by_uid', 'x.name as undone_by_name'])
    .select(isOld.as('isOld'))
    .select(sql<string>`r.at + ${sql.lit(UNDO_HOURS)} * interval '1 hour'`.as('undoUntil'))
    .where('r.kind', 'in', kind)
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const entryOf = (row: Row): ImportRunEntry => ({
  uid: row.uid,
  kind: row.kind as ImportKindName,
  fileName: row.file_name,
  at: row.at,
  by: { uid: row.by_uid, name: row.by_name },
  added: row.added,
  changed: row.changed,
  skipped: row.skipped,
  undoUntil: row.undoUntil,
  undone: row.undone_at === null ? null : { at: row.undone_at, by: namedRefOf(row.undone_by_uid, row.undone_by_name) },
  obstacle: row.undone_at === null && row.isOld ? TOO_OLD : null,
})

const entries = logList({
  rows: (db, query: Query) => rows(db, query),
  searched: sql<string>`concat_ws(' ', r.file_name, u.name)`,
  entryOf,
})

/** The kinds whose imports someone sees: those that they may import themselves, and an admin all. */
const visibleKinds = ({ actor }: Scope): ImportKindName[] =>
  importKinds.filter((kind) => actor.role === 'admin' || rowAccessFor(actor, importAccess(kind)) === 'all')

async function loadRun(db: Db, uid: string): Promise<ImportRun> {
  const { states } = await db
    .selectFrom('import_run')
    .select(sql<ImportState[] | null>`states`.as('states'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return { uid, states: states ?? [] }
}

/** A page of imports, each with what is in the way of undoing it. */
export async function listImportRuns(
  db: Db,
  scope: Scope,
  { kind: asked, ...query }: Query,
  kindNamed: (name: ImportKindName) => ImportKind,
): Promise<Page<ImportRunEntry>> {
  const kind = visibleKinds(scope).filter((each) => asked === undefined || asked.includes(each))
  if (kind.length === 0) return { data: [], page: query.page, pageSize: query.pageSize, total: 0 }
  const page = await entries.page(db, scope, { ...query, kind })
  const data: ImportRunEntry[] = []
  // One after the other: each may be an import of thousands of records.
  for (const entry of page.data) {
    const isOpen = entry.undone === null && entry.obstacle === null
    const obstacle = isOpen
      ? await kindNamed(entry.kind).findObstacle(db, await loadRun(db, entry.uid))
      : entry.obstacle
    data.push({ ...entry, obstacle: obstacle ?? null })
  }
  return { ...page, data }
}

const AT_ONCE = 100

/** Forgets the records of imports that are too old to be undone. Answers whether more may be left. */
export async function forgetWaysBack({ db }: Pick<SweepContext, 'db'>): Promise<boolean> {
  const old = db
    .selectFrom('import_run as r')
    .select('r.uid')
    .where('r.states', 'is not', null)
    .where(isOld)
    .orderBy('r.at')
    .limit(AT_ONCE)
  const { numUpdatedRows } = await db
    .updateTable('import_run')
    .set({ states: null })
    .where('uid', 'in', old)
    .executeTakeFirst()
  return numUpdatedRows === BigInt(AT_ONCE)
}
