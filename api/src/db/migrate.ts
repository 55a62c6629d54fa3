import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { StartError } from '../start-error.ts'
import { connect, type Db } from './connection.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

async function migrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const entries = files.map(async (name) => {
    const text = await readFile(path.join(folder, name), 'utf8')
    const up = async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db))
    return [path.basename(name, '.sql'), { up }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

const migrator = (db: Kysely<unknown>) => new Migrator({ db, provider: { getMigrations: migrations } })

/** Brings the database to this version's schema: all pending migrations in one transaction, one node at a time. */
export async function migrate(url: string): Promise<void> {
  const { db, close } = connect(url, { max: 2 })
  try {
    const { error } = await migrator(db as Kysely<unknown>).migrateToLatest()
    if (error) throw explained(error)
  } finally {
    await close()
  }
}

// Kysely says "corrupted migrations" when the database knows a migration that this version does not have.
function explained(error: unknown): unknown {
  const text = error instanceof Error ? error.message : String(error)
  return text.includes('corrupted migrations')
    ? new StartError(`The database was migrated by another version of the program (${text}). Start the newer version.`)
    : error
}

/** Whether every migration of this version has run. */
export async function isMigrated(db: Db): Promise<boolean> {
  const known = await migrator(db as Kysely<unknown>).getMigrations()
  return known.every((migration) => migration.executedAt !== undefined)
}
