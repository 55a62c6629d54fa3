import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { noteAsSystem } from '../../accounts/audit-log/index.ts'
import { endOpenSessions } from '../../accounts/sign-in/index.ts'
import { addFirstAdmin } from '../../catalog/users/index.ts'
import { blobStatements } from '../../platform/backup/inventory.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import { readInstallation, type Successor } from './queries.ts'

/** Work of the demo that writes, by the locks under which one node does it. It ends by itself once no demo is left. */
export const DEMO_LOCKS = ['simulate devices', 'demo past'] as const
const WAIT_MS = 20_000
const FILES_AT_ONCE = 8

interface Kept {
  table: string
  /** The rows that migrations brought: they belong to the product. */
  rows: RawBuilder<boolean>
  /** What the demo noted on them: the names of its people, and when its fleet was heard. */
  blank: readonly string[]
}
const KEPT: readonly Kept[] = [
  { table: 'impression_method', rows: sql`changed_by is null`, blank: [] },
  {
    table: 'inspection_item',
    rows: sql`uid::text like '01a1e000-0000-7000-8000-%'`,
    blank: ['changed_by', 'changed_from'],
  },
  {
    table: 'position_source',
    rows: sql`created_by is null and kind in ('geotab', 'phone', 'player')`,
    blank: ['last_seen_at', 'last_error', 'last_error_at', 'last_address'],
  },
]
/** The state of the schema and of the emptying itself. */
const UNTOUCHED = ['kysely_migration', 'kysely_migration_lock', 'installation']

interface Emptying {
  db: Db
  blobs: Pick<BlobStore, 'remove'>
  signal: AbortSignal
  waitMs?: number
}

/**
 * Deletes what the demo holds: first its files, then the parts of its large tables, then all tables in one transaction that
 * also adds the admin who is left. What was cut off anywhere is done again from the beginning.
 */
export async function emptyDemo({ db, blobs, signal, waitMs = WAIT_MS }: Emptying): Promise<boolean> {
  const { demo, successor } = await readInstallation(db)
  if (demo !== 'emptying' || !successor) return false
  await db.connection().execute(async (held) => {
    await takeLocks(held, waitMs, signal)
    try {
      await removeFiles(db, blobs, signal)
      signal.throwIfAborted()
      await truncateParts(db)
      await truncateTables(db, successor as unknown as Successor)
    } finally {
      await releaseLocks(held)
    }
  })
  return true
}

/** Waits until the simulator and the demo's past have ended on every node. */
async function takeLocks(held: Db, waitMs: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + waitMs
  for (const lock of DEMO_LOCKS) {
    const taking = sql<{ isMine: boolean }>`select pg_try_advisory_lock(hashtext(${lock})) as "isMine"`
    while (!(await taking.execute(held)).rows[0]?.isMine) {
      if (Date.now() > deadline) throw new Error(`The demo is still at work: ${lock}. It is emptied at the next try.`)
      await sleep(200, undefined, { signal })
    }
  }
}

const releaseLocks = async (held: Db) => {
  for (const lock of DEMO_LOCKS) await sql`select pg_advisory_unlock(hashtext(${lock}))`.execute(held)
}

/** Removes the files that rows refer to. Others in the same storage are not the demo's. */
async function removeFiles(db: Db, blobs: Emptying['blobs'], signal: AbortSignal): Promise<void> {
  for (const statement of Object.values(blobStatements)) {
    const { rows } = await sql<{ blob: string }>`${sql.raw(statement)}`.execute(db)
    for (let first = 0; first < rows.length; first += FILES_AT_ONCE) {
      signal.throwIfAborted()
      await Promise.all(rows.slice(first, first + FILES_AT_ONCE).map(({ blob }) => blobs.remove(blob)))
    }
  }
}

/** One part at a time: all at once would need more locks than the server has. */
async function truncateParts(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and c.relispartition and c.relnamespace = current_schema()::regnamespace
     order by 1`.execute(db)
  for (const { name } of rows) await sql`truncate ${sql.raw(name)}`.execute(db)
}

async function truncateTables(db: Db, successor: Successor): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and not c.relispartition and (n.nspname = current_schema() or n.nspname = 'merging')
       and c.relname <> all (${UNTOUCHED})
     order by 1`.execute(db)
  await inTransaction(db, async (db) => {
    const isAsked = await db
      .selectFrom('installation')
      .select('demo')
      .where('demo', '=', 'emptying')
      .forUpdate()
      .executeTakeFirst()
    // Another node was faster.
    if (!isAsked) return
    // Open pages of every node are sent to the sign-in page.
    await endOpenSessions(db, 'forced').execute()
    // What the history and the audit log hold is the demo's too.
    await sql`set local session_replication_role = replica`.execute(db)
    for (const kept of KEPT) await setAside(db, kept)
    await sql`truncate ${sql.raw(tables.map(({ name }) => name).join(', '))}`.execute(db)
    await sql`set local session_replication_role = origin`.execute(db)
    for (const kept of KEPT) await putBack(db, kept)
    const { passwordHash, ...user } = successor
    await addFirstAdmin(db, { ...user, password_hash: passwordHash })
    await noteAsSystem(db, { kind: 'demoEmptied', subject: user.email, detail: 'All records and files of the demo' })
    await db
      .updateTable('installation')
      .set({ demo: 'emptied', successor: null, started_at: sql`now()`, passed_steps: [], dismissed_at: null })
      .execute()
  })
}

const asideOf = (table: string) => sql.table(`kept_${table}`)

const setAside = (db: Db, { table, rows }: Kept) =>
  sql`create temporary table ${asideOf(table)} on commit drop as select * from ${sql.table(table)} where ${rows}`.execute(
    db,
  )

/** With the columns that are not computed. */
async function putBack(db: Db, { table, blank }: Kept): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    db,
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => (blank.includes(name) ? sql`null` : sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    overriding system value select ${sql.join(values)} from ${asideOf(table)}`.execute(db)
}
