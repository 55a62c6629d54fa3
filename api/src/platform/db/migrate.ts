import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely'
import { StartError } from '../runtime/start-error.ts'
import { connect, type Db } from './connection.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** The migrations of this version, in their order. */
const knownNames = async (): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.basename(name, '.sql'))
    .toSorted()

async function migrations(): Promise<Record<string, Migration>> {
  const entries = (await knownNames()).map(async (name) => {
    const text = await readFile(path.join(folder, `${name}.sql`), 'utf8')
    const up = async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db))
    return [name, { up }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const migrator = (db: Kysely<unknown>) => new Migrator({ db, provider: { getMigrations: migrations } })

/** The migrations that have run on a database, in their order. */
async function schemaOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!rows[0]?.exists) return []
  return (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )
}

// The first migration of development versions, whose migrations were squashed before the first release.
const FIRST_OF_DEVELOPMENT = '0001_foundation'

/** Refuses a schema that this version cannot use; `owner` is the subject of the sentence. */
export async function requireKnownSchema(schema: readonly string[], owner: 'database' | 'backup'): Promise<void> {
  if (schema.includes(FIRST_OF_DEVELOPMENT)) {
    throw new StartError(
      `This ${owner} was created by an earlier development version (migration ${schema.at(-1)}). Export what you need with that version, then start with an empty database.`,
    )
  }
  const known = await knownNames()
  if (schema.every((name) => known.includes(name))) return
  throw new StartError(
    `This ${owner} has the schema ${schema.at(-1)}, but this version of the program knows only ${known.at(-1)}. Start the newer version.`,
  )
}

/** Migrates the database to this version: all pending migrations in one transaction, one node at a time. */
export const migrate = (url: string): Promise<void> => migrateBy(url, (to) => to.migrateToLatest())

/** Migrates an empty database up to the given migration, for a backup of an older version. */
export const migrateTo = (url: string, name: string): Promise<void> => migrateBy(url, (to) => to.migrateTo(name))

async function migrateBy(url: string, run: (to: Migrator) => Promise<MigrationResultSet>): Promise<void> {
  const { db, close } = connect(url, { max: 2, lockTimeoutMs: 0 })
  try {
    await requireKnownSchema(await schemaOf(db), 'database')
    const { error } = await run(migrator(db as Kysely<unknown>))
    // A newer node may have migrated it at the same moment.
    if (error) await requireKnownSchema(await schemaOf(db), 'database')
    if (error) throw error as Error
  } finally {
    await close()
  }
}

/** Whether every migration of this version has run. */
export async function isMigrated(db: Db): Promise<boolean> {
  const done = new Set(await schemaOf(db))
  return (await knownNames()).every((name) => done.has(name))
}
