import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { StartError } from '../runtime/start-error.ts'
import { LOCK_NOT_AVAILABLE, parseIndexStatements, runIndexStatement, withBriefLocks } from './concurrent-indexes.ts'
import { connect, type Db } from './connection.ts'
import { type MigrationFile, migrationNames, MIGRATIONS, numberOf, readMigration } from './migration-files.ts'
import { requireFinishedRestore } from './restore-mark.ts'

interface AppliedMigration {
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

// The first migration of development versions, whose migrations were squashed before the first release.
const FIRST_OF_DEVELOPMENT = '0001_foundation'

function refuseDevelopment(schema: readonly string[], owner: 'database' | 'backup'): void {
  if (!schema.includes(FIRST_OF_DEVELOPMENT)) return
  throw new StartError(
    `This ${owner} was created by an earlier development version (migration ${schema.at(-1)}). Export what you need with that version, then start with an empty database.`,
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
  if (!schema.every((name) => known.includes(name))) refuseNewer('backup', schema.at(-1), known.at(-1))
}

/**
 * Refuses a database that this version cannot use. A newer schema is accepted while each newer migration declares that
 * nodes of this version work on it.
 */
function requireUsable(applied: readonly AppliedMigration[], known: readonly string[]): void {
  const names = applied.map(({ name }) => name)
  refuseDevelopment(names, 'database')
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

interface Options {
  /** The last migration to run, for a backup of an older version; the newest by default. */
  upTo?: string
  folder?: string
  /** Tells what the start waits for. */
  say?: (sentence: string) => void
  /** How long a migration waits for a table before it steps back and tries again. */
  lockWaitMs?: number
}

const LOCK_WAIT_MS = 5000

/** Migrates the database to this version, one node at a time. Each migration is a transaction of its own. */
export async function migrate(
  url: string,
  { folder = MIGRATIONS, upTo, say = () => {}, lockWaitMs = LOCK_WAIT_MS }: Options = {},
): Promise<void> {
  const known = await migrationNames(folder)
  if (upTo !== undefined && !known.includes(upTo)) throw new Error(`Migration ${upTo} not found.`)
  const { db, close } = connect(url, { max: 1, lockTimeoutMs: 0 })
  try {
    await db.connection().execute(async (db) => {
      // A restore migrates up to the schema of its backup while the mark is set.
      if (upTo === undefined) await requireFinishedRestore(db)
      const wanted = known.slice(0, upTo === undefined ? known.length : known.indexOf(upTo) + 1)
      const found = await schemaOf(db)
      requireUsable(found, known)
      // Nothing to do: a role that may not change tables starts here.
      if (wanted.every((name) => found.some((each) => each.name === name))) return
      await requireOwner(db, wanted.at(-1))
      await lockMigrations(db, say)
      await prepareRecord(db)
      // A newer node may have migrated it meanwhile.
      const applied = await schemaOf(db)
      requireUsable(applied, known)
      const done = new Set(applied.map(({ name }) => name))
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
  const { name, text, oldestNode, isOutsideTransaction } = migration
  const record = sql`insert into kysely_migration (name, timestamp, oldest_node)
    values (${name}, ${new Date().toISOString()}, ${oldestNode})`
  if (isOutsideTransaction) {
    for (const statement of parseIndexStatements(text)) await runIndexStatement(db, statement, lockWaitMs)
    await record.execute(db)
    return
  }
  await withBriefLocks(db, lockWaitMs, async (db) => {
    await sql.raw(text).execute(db)
    await record.execute(db)
  })
}

/** Whether every migration of this version has run. */
export async function isMigrated(db: Db): Promise<boolean> {
  const done = new Set((await schemaOf(db)).map(({ name }) => name))
  return (await migrationNames()).every((name) => done.has(name))
}
