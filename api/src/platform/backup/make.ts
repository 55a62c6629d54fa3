import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { CopyOut } from '../db/copy.ts'
import { withClient } from '../db/with-client.ts'
import { StartError } from '../runtime/start-error.ts'
import { blobFile, FORMAT, hashing, type Manifest, seal, tableFile } from './format.ts'
import { blobsOf, distributedTablesOf, type ListedTable, sequencesOf, tablesOf } from './inventory.ts'
import { KEY_FILE } from './secret-key.ts'

export interface Backup {
  url: string
  /** The folder of the files; undefined where a storage account has them. */
  blobFolder: string | undefined
  /** An empty folder, or one that is not there yet. */
  to: string
  /** The secret key, sealed; without it the backup does not hold the key. */
  sealedKey?: string | undefined
  say: (sentence: string) => void
}

const counted = (count: number) => count.toLocaleString('en-US')

/** Makes a backup of one moment, while everybody works on. */
export async function makeBackup(backup: Backup): Promise<Manifest> {
  await makeEmpty(backup.to)
  try {
    return await withClient(backup.url, (client) => copyAll(backup, client))
  } catch (error) {
    await rm(backup.to, { recursive: true, force: true })
    throw error
  }
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StartError(`The folder ${folder} is not empty. Choose another one.`)
  for (const part of ['tables', 'blobs']) await mkdir(path.join(folder, part), { mode: 0o700 })
}

async function copyAll({ blobFolder, to, sealedKey, say }: Backup, client: pg.Client): Promise<Manifest> {
  const sums = new Map<string, string>()
  const blobs = blobFolder === undefined ? undefined : new BlobCopier(blobFolder, to, sums)
  // Most of the bytes, before the moment that counts; what is removed from now on is here already.
  if (blobs) {
    const known = await blobsOf(client)
    say(`Copying ${counted(known.length)} files.`)
    await blobs.copy(known)
  }
  const spread = await distributedTablesOf(client)
  await client.query('begin isolation level repeatable read read only')
  // The machines of a cluster have no moment in common: writing waits until their rows are copied.
  if (spread.length > 0) await client.query(`lock table ${spread.join(', ')} in share mode`)
  const tables = await tablesOf(client)
  // The lock prevents changes to the tables until they are copied; reading and writing rows goes on.
  const names = tables.map(({ name }) => client.escapeIdentifier(name))
  await client.query(`lock table only ${names.join(', only ')} in access share mode`)
  const createdAt = new Date().toISOString()
  const referred = blobs && (await blobsOf(client))
  if (blobs && referred) await blobs.keepOnly(referred)
  const schema = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const counts = new Map<string, number>()
  for (const table of tables) counts.set(table.name, await copyTable(client, table, to, sums))
  reportRows(tables, counts, say)
  const manifest: Manifest = {
    format: FORMAT,
    createdAt,
    postgres: (await client.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? '',
    schema: schema.rows.map(({ name }) => name),
    tables: tables.map((table) => ({ ...table, rows: counts.get(table.name) ?? 0 })),
    sequences: await sequencesOf(client),
    blobs: blobs?.summary ?? null,
  }
  await client.query('commit')
  if (sealedKey !== undefined) sums.set(KEY_FILE, await writeHashed(path.join(to, KEY_FILE), sealedKey))
  await seal(to, manifest, sums)
  return manifest
}

/** Writes a small file; answers its hash. */
async function writeHashed(file: string, text: string): Promise<string> {
  await writeFile(file, text, { mode: 0o600, flush: true })
  return createHash('sha256').update(text).digest('hex')
}

/** Reports a partitioned table as one. */
function reportRows(tables: readonly ListedTable[], counts: ReadonlyMap<string, number>, say: Backup['say']): void {
  const totals = new Map<string, number>()
  for (const { name, partOf } of tables) {
    totals.set(partOf ?? name, (totals.get(partOf ?? name) ?? 0) + (counts.get(name) ?? 0))
  }
  for (const [name, rows] of totals) if (rows > 0) say(`  ${name}: ${counted(rows)} rows`)
}

async function copyTable(client: pg.Client, { name, columns }: ListedTable, to: string, sums: Map<string, string>) {
  const listed = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const copy = new CopyOut(`copy ${client.escapeIdentifier(name)} (${listed}) to stdout`, () => {})
  client.query(copy as unknown as pg.Submittable)
  const file = tableFile(name)
  const { through, result } = hashing()
  await pipeline(copy, createGzip({ level: 3 }), through, target(path.join(to, file)))
  sums.set(file, result().sha256)
  return copy.rows
}

/** A file that is on disk once it is closed. */
const target = (file: string) => createWriteStream(file, { mode: 0o600, flush: true })

class BlobCopier {
  readonly #bytes = new Map<string, number>()
  readonly #missing = new Set<string>()

  constructor(
    private readonly from: string,
    private readonly to: string,
    private readonly sums: Map<string, string>,
  ) {}

  /** Copies the blobs that are not copied yet. A blob never changes: it is written once under its own name. */
  async copy(blobs: readonly string[]): Promise<void> {
    for (const blob of blobs) {
      if (this.#bytes.has(blob)) continue
      if (await stat(path.join(this.from, blob)).catch(() => undefined)) await this.#copyOne(blob)
    }
  }

  async #copyOne(blob: string): Promise<void> {
    const { through, result } = hashing()
    const copy = path.join(this.to, blobFile(blob))
    await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 })
    await pipeline(createReadStream(path.join(this.from, blob)), through, target(copy))
    const { sha256, bytes } = result()
    this.sums.set(blobFile(blob), sha256)
    this.#bytes.set(blob, bytes)
  }

  /** Copies the missing ones of these blobs and removes all others. */
  async keepOnly(referred: readonly string[]): Promise<void> {
    await this.copy(referred)
    const wanted = new Set(referred)
    for (const blob of this.#bytes.keys()) {
      if (wanted.has(blob)) continue
      await rm(path.join(this.to, blobFile(blob)))
      this.#bytes.delete(blob)
      this.sums.delete(blobFile(blob))
    }
    for (const blob of referred) if (!this.#bytes.has(blob)) this.#missing.add(blob)
  }

  get summary() {
    const bytes = [...this.#bytes.values()].reduce((sum, each) => sum + each, 0)
    return { count: this.#bytes.size, bytes, missing: [...this.#missing] }
  }
}
