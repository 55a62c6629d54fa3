import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { copyIn } from '../db/copy-in.ts'
import { migrate, migrateTo, requireKnownSchema } from '../db/migrate.ts'
import { StartError } from '../runtime/start-error.ts'
import { type BackupTable, type Manifest, openBackup, tableFile } from './format.ts'
import { isDatabaseEmpty, SESSION_SETTINGS, tablesOf } from './inventory.ts'

interface Restore {
  from: string
  /** Opens the database after the backup is verified. */
  openDatabase: () => Promise<string>
  /** The folder for the files; undefined if a storage account holds them. */
  blobFolder: string | undefined
  say: (sentence: string) => void
}

/**
 * Fills an empty database and an empty folder of files from a backup. It refuses a backup that cannot be restored before
 * it changes anything.
 */
export async function restoreBackup({ from, openDatabase, blobFolder, say }: Restore): Promise<Manifest> {
  const manifest = await openBackup(from, say)
  await requireKnownSchema(manifest.schema)
  if (blobFolder !== undefined) await refuseFilled(blobFolder)
  const url = await openDatabase()
  await withClient(url, async (client) => {
    if (!(await isDatabaseEmpty(client))) {
      throw new StartError('The database is not empty. Restore into an empty one; nothing was changed.')
    }
    // Checks the permission before the restore starts; the transaction ends with the connection.
    await client.query('begin')
    await silenceTriggers(client)
  })
  await migrateTo(url, manifest.schema.at(-1) ?? '')
  await withClient(url, (client) => load(client, manifest, from, say))
  if (manifest.blobs && blobFolder !== undefined) await copyBlobs(from, blobFolder, manifest.blobs, say)
  // The backup may be of an older version.
  await migrate(url)
  await withClient(url, (client) => client.query('analyze'))
  return manifest
}

export async function refuseFilled(folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => [])
  if (there.length > 0) throw new StartError(`The folder ${folder} is not empty. Nothing was changed.`)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(SESSION_SETTINGS)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Loads everything in one transaction. */
async function load(client: pg.Client, manifest: Manifest, from: string, say: Restore['say']): Promise<void> {
  await client.query('begin')
  await silenceTriggers(client)
  await makeParts(client, manifest.tables)
  // The rows that migrations insert are in the backup too, in their current state.
  const whole = new Set(manifest.tables.map(({ name, partOf }) => client.escapeIdentifier(partOf ?? name)))
  await client.query(`truncate ${[...whole].join(', ')}`)
  for (const table of manifest.tables) await loadTable(client, table, from, say)
  for (const { name, last } of manifest.sequences) {
    if (last !== null) await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), last])
  }
  await client.query('commit')
}

/** Switches triggers off: rows are loaded unchanged, without counts, history or checks of references. */
async function silenceTriggers(client: pg.Client): Promise<void> {
  try {
    await client.query('set local session_replication_role = replica')
  } catch {
    throw new StartError(
      'This database user may not switch triggers off. Restore as a superuser, or ask one to run: GRANT SET ON PARAMETER session_replication_role TO the user.',
    )
  }
}

async function makeParts(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  const there = new Set((await tablesOf(client)).map(({ name }) => name))
  for (const { name, partOf, bounds } of tables) {
    if (partOf === null || bounds === null || there.has(name)) continue
    const [part, whole] = [client.escapeIdentifier(name), client.escapeIdentifier(partOf)]
    await client.query(`create table ${part} (like ${whole} including defaults including constraints)`)
    await client.query(`alter table ${whole} attach partition ${part} ${bounds}`)
  }
}

async function loadTable(
  client: pg.Client,
  { name, columns, rows }: BackupTable,
  from: string,
  say: Restore['say'],
): Promise<void> {
  const listed = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const copy = copyIn(client, `copy ${client.escapeIdentifier(name)} (${listed}) from stdin`)
  await pipeline(createReadStream(path.join(from, tableFile(name))), createGunzip(), copy)
  if (copy.rows !== rows) throw new StartError(`The table ${name} has ${copy.rows} rows, but ${rows} were backed up.`)
  if (rows > 0) say(`  ${name}: ${rows.toLocaleString('en-US')} rows`)
}

async function copyBlobs(from: string, to: string, { count }: { count: number }, say: Restore['say']): Promise<void> {
  say(`Copying ${count.toLocaleString('en-US')} files.`)
  await mkdir(to, { recursive: true, mode: 0o700 })
  // Names of blobs may have folders.
  await cp(path.join(from, 'blobs'), to, { recursive: true })
}
