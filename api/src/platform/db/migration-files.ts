import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url))

export interface MigrationFile {
  name: string
  text: string
  /** The oldest node that works on the schema after this migration, by the number of its newest migration. */
  oldestNode: string
  /** Whether its statements run one by one outside a transaction, as CONCURRENTLY needs. */
  isOutsideTransaction: boolean
}

/** The names of the migrations in a folder, in their order. */
export const migrationNames = async (folder = MIGRATIONS): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.basename(name, '.sql'))
    .toSorted()

/** The number of a migration: names sort by it. */
export const numberOf = (name: string): string => name.slice(0, 4)

/** Reads the two declarations that a migration may make in the comment at its top. */
function parseMigration(name: string, text: string): MigrationFile {
  const comment = /^(?:--.*\n)*/.exec(text)?.[0] ?? ''
  return {
    name,
    text,
    // Without a declaration only nodes that know the migration may use its schema.
    oldestNode: /^-- Oldest node: (\d{4})$/m.exec(comment)?.[1] ?? numberOf(name),
    isOutsideTransaction: /^-- Outside a transaction$/m.test(comment),
  }
}

export const readMigration = async (name: string, folder = MIGRATIONS): Promise<MigrationFile> =>
  parseMigration(name, await readFile(path.join(folder, `${name}.sql`), 'utf8'))
