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
  const { rows: there } = await sql<{ is: boolean }>`
    select to_regclass('kysely_migration') is not null as is`.execute(db)
  if (!there[0]?.is) return []
  return (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )
}

/** Refuses a schema that has what this version does not know; `what` says whose schema it is. */
export async function refuseNewer(schema: readonly string[], what: string): Promise<void> {
  const known = await knownNames()
  const unknown = schema.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new StartError(
    `${what} has the schema ${schema.at(-1)}; the newest that this version of the program knows is ${known.at(-1)}. Start the newer version.`,
  )
}

/** Brings the database to this version's schema: all pending migrations in one transaction, one node at a time. */
export const migrate = (url: string): Promise<void> => migrateBy(url, (to) => to.migrateToLatest())

/** Brings an empty database to the schema that it had when a migration was the newest. */
export const migrateTo = (url: string, name: string): Promise<void> => migrateBy(url, (to) => to.migrateTo(name))

async function migrateBy(url: string, run: (to: Migrator) => Promise<MigrationResultSet>): Promise<void> {
  const { db, close } = connect(url, { max: 2, lockTimeoutMs: 0 })
  try {
    await refuseNewer(await schemaOf(db), 'The database')
    const { error } = await run(migrator(db as Kysely<unknown>))
    // A newer node may have been at it at this very moment.
    if (error) await refuseNewer(await schemaOf(db), 'The database')
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
