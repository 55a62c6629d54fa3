import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { StartError } from '../runtime/start-error.ts'
import { LOCK_NOT_AVAILABLE, parseIndexStatements, runIndexStatement, withBriefLocks } from './concurrent-indexes.ts'
import { connect, type Db } from './connection.ts'
import { bridgedNames, isOfFirstLine, isOfFirstVersion, readBridge } from './first-version.ts'
import { type MigrationFile, migrationNames, MIGRATIONS, numberOf, readMigration } from './migration-files.ts'
import { requireFinishedRestore } from './restore-mark.ts'

export interface AppliedMigration {
  name: string
  /** The oldest node that works on its schema; null where a version that did not know of it has migrated. */
  oldestNode: string | null
}

/** The migrations that have run on a database, in their order. */
async function schemaOf(db: Db): Promise<AppliedMigration[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!rows[0]?.exists) return []
  const applied = sql<AppliedMigration>`
    select name, to_jsonb(m) ->> 'oldest_node' as "oldestNode" from kysely_migration m order by name`
  return (await applied.execute(db)).rows
}

/** Refuses a schema from before version 0.1.0. The bridge begins at that version. */
function refuseDevelopment(schema: readonly string[], owner: 'database' | 'backup'): void {
  if (!isOfFirstLine(schema) || isOfFirstVersion(schema)) return
  throw new StartError(
    `This ${owner} was created by a development version before 0.1.0 (migration ${schema.at(-1)}). Use it once with version 0.1.0, then with this one.`,
  )
}

const refuseNewer = (owner: 'database' | 'backup', newest: string | undefined, known: string | undefined): never => {
  throw new StartError(
    `This ${owner} has the schema ${newest}, but this version of the program knows only ${known}. Start the newer version.`,
  )
}

/** Refuses a backup of a schema that this version cannot create. */
export async function requireKnownSchema(schema: readonly string[]): Promise<void> {
  refuseDevelopment(schema, 'backup')
  const known = await migrationNames()
  if (!isOfFirstVersion(schema) && !schema.every((name) => known.includes(name)))
    refuseNewer('backup', schema.at(-1), known.at(-1))
}

/**
 * Refuses a database that this version cannot use. A newer schema is accepted while each newer migration declares that
 * nodes of this version work on it.
 */
function requireUsable(applied: readonly AppliedMigration[], known: readonly string[]): void {
  const names = applied.map(({ name }) => name)
  refuseDevelopment(names, 'database')
  if (isOfFirstVersion(names)) return
  const newer = applied.filter(({ name }) => !known.includes(name))
  if (newer.length === 0) return
  const own = numberOf(known.at(-1) ?? '')
  const works = newer.every(({ oldestNode }) => oldestNode !== null && oldestNode <= own)
  if (!works || !known.every((name) => names.includes(name))) refuseNewer('database', names.at(-1), known.at(-1))
}

/** Refuses to migrate with a role that may not create tables. */
async function requireOwner(db: Db, wanted: string | undefined): Promise<void> {
  const { rows } = await sql<{ role: string; canCreate: boolean }>`
    select current_user as role, has_schema_privilege(current_schema(), 'create') as "canCreate"`.execute(db)
  if (rows[0]?.canCreate !== false) return
  throw new StartError(
    `The database must be migrated to ${wanted}, and the role ${rows[0].role} may not change its tables. Run npm run migrate with the owner in DATABASE_OWNER_URL.`,
  )
}

/** The migrations that have run on the database behind a URL; none if it is not created yet. */
export async function readSchema(url: string): Promise<AppliedMigration[]> {
  const { db, close } = connect(url, { max: 1 })
  try {
    return await schemaOf(db)
  } catch (error) {
    if ((error as { code?: string }).code !== NO_DATABASE) throw error
    return []
  } finally {
    await close()
  }
}

/** Refuses a schema that this version can neither use nor migrate. */
export const requireUsableSchema = async (schema: readonly AppliedMigration[]): Promise<void> =>
  requireUsable(schema, await migrationNames())

interface Options {
  /** The migrations to run, for a backup of an older version: all by default. */
  only?: readonly string[]
  folder?: string
  /** Tells what the start waits for. */
  say?: (sentence: string) => void
  /** How long a migration waits for a table before it steps back and tries again. */
  lockWaitMs?: number
}

const LOCK_WAIT_MS = 5000
const NO_DATABASE = '3D000'

/** Migrates the database to this version, one node at a time. Each migration is a transaction of its own. */
export async function migrate(
  url: string,
  { folder = MIGRATIONS, only, say = () => {}, lockWaitMs = LOCK_WAIT_MS }: Options = {},
): Promise<void> {
  const known = await migrationNames(folder)
  const { db, close } = connect(url, { max: 1, lockTimeoutMs: 0 })
  try {
    await db.connection().execute(async (db) => {
      // A restore makes the schema of its backup while the mark is set.
      if (only === undefined) await requireFinishedRestore(db)
      // Migrations may have landed in another order than their numbers: a database may lack one before its last.
      const wanted = known.filter((name) => only?.includes(name) ?? true)
      const found = await schemaOf(db)
      requireUsable(found, known)
      // Nothing to do: a role that may not change tables starts here.
      if (wanted.every((name) => found.some((each) => each.name === name))) return
      await requireOwner(db, wanted.at(-1))
      await lockMigrations(db, say)
      await prepareRecord(db)
      // A newer node may have migrated it meanwhile.
      requireUsable(await schemaOf(db), known)
      await untilUnlocked(
        () => crossBridge(db, lockWaitMs),
        () =>
          say('The migration from version 0.1.0 waits for other work on its tables. Stop all nodes of that version.'),
      )
      const done = new Set((await schemaOf(db)).map(({ name }) => name))
      for (const name of wanted.filter((each) => !done.has(each))) {
        const run = await readMigration(name, folder)
        await untilUnlocked(
          () => runMigration(db, run, lockWaitMs),
          () => say(`The migration ${name} waits for other work on its tables.`),
        )
      }
    })
  } finally {
    // The lock ends with its connection.
    await close()
  }
}

// Older versions, which migrate by Kysely's own migrator, take the same lock.
const LOCK = sql`3853314791062309107`
const POLL_MS = 200

/**
 * Waits until no other node migrates. Asking again and again holds nothing in between; a statement that waits for the
 * lock would keep its snapshot, and CREATE INDEX CONCURRENTLY on the other node would wait for that in turn.
 */
async function lockMigrations(db: Db, say: (sentence: string) => void): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await sql<{ isMine: boolean }>`select pg_try_advisory_lock(${LOCK}) as "isMine"`.execute(db)
    if (rows[0]?.isMine) return
    if (isFirst) say('Another node is migrating the database. Waiting for it.')
    await sleep(POLL_MS)
  }
}

/** Creates the table of applied migrations as Kysely's migrator does, so that older versions read it too. */
async function prepareRecord(db: Db): Promise<void> {
  await sql`create table if not exists kysely_migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  const { rows } = await sql`
    select from pg_attribute where attrelid = 'kysely_migration'::regclass and attname = 'oldest_node'`.execute(db)
  if (rows.length === 0) await sql`alter table kysely_migration add column oldest_node varchar(255)`.execute(db)
}

const RETRY_MS = 1000
const DEADLOCK = '40P01'

/** Runs work again and again while others hold what it needs. */
async function untilUnlocked(work: () => Promise<void>, onFirstWait: () => void): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error
      if (isFirst) onFirstWait()
      await sleep(RETRY_MS)
    }
  }
}

/** Runs a migration and records it: together, or statement by statement where each can be repeated. */
async function runMigration(db: Db, migration: MigrationFile, lockWaitMs: number): Promise<void> {
  const { text, isOutsideTransaction } = migration
  if (isOutsideTransaction) {
    for (const statement of parseIndexStatements(text)) await runIndexStatement(db, statement, lockWaitMs)
    await recordMigration(db, migration)
    return
  }
  await withBriefLocks(db, lockWaitMs, async (db) => {
    await sql.raw(text).execute(db)
    await recordMigration(db, migration)
  })
}

const recordMigration = (db: Db, { name, oldestNode }: MigrationFile) =>
  sql`insert into kysely_migration (name, timestamp, oldest_node)
    values (${name}, ${new Date().toISOString()}, ${oldestNode})`.execute(db)

/** Brings a database of version 0.1.0 to the schema from which today's migrations continue. */
async function crossBridge(db: Db, lockWaitMs: number): Promise<void> {
  if (!isOfFirstVersion((await schemaOf(db)).map(({ name }) => name))) return
  const bridge = await readBridge()
  const replaced = await Promise.all((await bridgedNames()).map((name) => readMigration(name)))
  await withBriefLocks(db, lockWaitMs, async (db) => {
    await sql.raw(bridge).execute(db)
    await sql`delete from kysely_migration`.execute(db)
    for (const migration of replaced) await recordMigration(db, migration)
  })
}

/** Whether every migration of this version has run. */
export async function isMigrated(db: Db): Promise<boolean> {
  const done = new Set((await schemaOf(db)).map(({ name }) => name))
  return (await migrationNames()).every((name) => done.has(name))
}
