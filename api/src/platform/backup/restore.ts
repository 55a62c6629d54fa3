import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { copyIn } from '../db/copy-in.ts'
import { bridgedNames, bridgedRows, isOfFirstVersion } from '../db/first-version.ts'
import { migrate, requireKnownSchema } from '../db/migrate.ts'
import { RESTORE_MARK } from '../db/restore-mark.ts'
import { hasTable, withClient } from '../db/with-client.ts'
import { holdBackRestored } from '../outbox/index.ts'
import { StartError } from '../runtime/start-error.ts'
import { type BackupTable, type Manifest, openBackup, tableFile } from './format.ts'
import { isDatabaseEmpty, tablesOf } from './inventory.ts'

interface Restore {
  from: string
  /** Opens the database after the backup is verified. */
  openDatabase: () => Promise<string>
  /** The folder for the files; undefined if a storage account holds them. */
  blobFolder: string | undefined
  /** The secret key: it is checked before anything is changed, and written before nodes may use the database. */
  secretKey?: { check(): Promise<void>; write(): Promise<void> } | undefined
  say: (sentence: string) => void
}

/**
 * Fills an empty database and an empty folder of files from a backup. It refuses a backup that cannot be restored before
 * it changes anything. A restore that was cut off is repeated: it starts over.
 */
export async function restoreBackup(restore: Restore): Promise<Manifest> {
  const { from, openDatabase, blobFolder, secretKey, say } = restore
  const manifest = await openBackup(from, say)
  await requireKnownSchema(manifest.schema)
  await secretKey?.check()
  const url = await openDatabase()
  await withClient(url, async (client) => {
    if (await isUnfinished(client, manifest)) say('An earlier restore of this backup was cut off. Starting over.')
    else await begin(client, manifest, blobFolder)
  })
  // A backup of version 0.1.0 is loaded as if that version's database had crossed the bridge.
  await migrate(url, { only: isOfFirstVersion(manifest.schema) ? await bridgedNames() : manifest.schema })
  await withClient(url, (client) => load(client, manifest, from, say))
  if (manifest.blobs && blobFolder !== undefined) await copyBlobs(from, blobFolder, manifest.blobs, say)
  await secretKey?.write()
  await withClient(url, async (client) => {
    await holdBackRestored(client)
    await client.query(`drop table ${RESTORE_MARK}`)
  })
  // The backup may be of an older version.
  await migrate(url)
  await withClient(url, (client) => client.query('analyze'))
  return manifest
}

const isMarked = (client: pg.Client) => hasTable(client, RESTORE_MARK)

/** Whether a backup was restored in part into a database. */
export const hasUnfinishedRestore = (url: string): Promise<boolean> => withClient(url, isMarked)

/** Whether this backup was restored in part; refuses a database into which another one was. */
async function isUnfinished(client: pg.Client, { createdAt }: Manifest): Promise<boolean> {
  if (!(await isMarked(client))) return false
  const { rows } = await client.query<{ backup: string }>(`select backup from ${RESTORE_MARK}`)
  if (rows[0]?.backup === createdAt) return true
  throw new StartError(
    'The restore of another backup into this database was cut off. Restore that one again, or use an empty database; nothing was changed.',
  )
}

/** Requires an empty database and folder, and marks the database: until the end, no node may use it. */
async function begin(client: pg.Client, { createdAt }: Manifest, blobFolder: string | undefined): Promise<void> {
  if (blobFolder !== undefined) await refuseFilled(blobFolder)
  if (!(await isDatabaseEmpty(client))) {
    throw new StartError('The database is not empty. Restore into an empty one; nothing was changed.')
  }
  await client.query('begin')
  // Checks the permission before anything is changed.
  await silenceTriggers(client)
  await client.query(`create table ${RESTORE_MARK} (backup text not null)`)
  await client.query(`insert into ${RESTORE_MARK} values ($1)`, [createdAt])
  await client.query('commit')
}

export async function refuseFilled(folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => [])
  if (there.length > 0) throw new StartError(`The folder ${folder} is not empty. Nothing was changed.`)
}

/** Loads each table and each partition in a transaction of its own: all at once would need more locks than the server has. */
async function load(client: pg.Client, manifest: Manifest, from: string, say: Restore['say']): Promise<void> {
  const there = new Set((await tablesOf(client)).map(({ name }) => name))
  const isBridged = isOfFirstVersion(manifest.schema)
  for (const table of manifest.tables) {
    const target = isBridged ? bridgedRows(table) : table
    if (!target) continue
    await client.query('begin')
    await silenceTriggers(client)
    if (!there.has(target.name)) await makePart(client, table)
    // Rows that migrations insert are in the backup too, in their current state. So are those of a restore before.
    await client.query(`delete from ${client.escapeIdentifier(target.name)}`)
    await loadTable(client, table, target, { from, say })
    await client.query('commit')
  }
  for (const { name, last } of manifest.sequences) {
    if (last !== null) await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), last])
  }
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

async function makePart(client: pg.Client, { name, partOf, bounds }: BackupTable): Promise<void> {
  if (partOf === null || bounds === null) throw new StartError(`The table ${name} is not part of this schema.`)
  const [part, whole] = [client.escapeIdentifier(name), client.escapeIdentifier(partOf)]
  await client.query(`create table ${part} (like ${whole} including defaults including constraints)`)
  await client.query(`alter table ${whole} attach partition ${part} ${bounds}`)
}

async function loadTable(
  client: pg.Client,
  { name, rows }: BackupTable,
  target: Pick<BackupTable, 'name' | 'columns'>,
  { from, say }: Pick<Restore, 'from' | 'say'>,
): Promise<void> {
  const listed = target.columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const copy = copyIn(client, `copy ${client.escapeIdentifier(target.name)} (${listed}) from stdin`)
  await pipeline(createReadStream(path.join(from, tableFile(name))), createGunzip(), copy)
  if (copy.rows !== rows) throw new StartError(`The table ${name} has ${copy.rows} rows, but ${rows} were backed up.`)
  if (rows > 0) say(`  ${target.name}: ${rows.toLocaleString('en-US')} rows`)
}

async function copyBlobs(from: string, to: string, { count }: { count: number }, say: Restore['say']): Promise<void> {
  say(`Copying ${count.toLocaleString('en-US')} files.`)
  await mkdir(to, { recursive: true, mode: 0o700 })
  // Names of blobs may have folders.
  await cp(path.join(from, 'blobs'), to, { recursive: true })
}
