import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { StartError } from '../runtime/start-error.ts'

/**
 * A backup is a folder: manifest.json says what it holds, tables/ has each table as PostgreSQL's COPY writes it, packed,
 * blobs/ the files, and SHA256SUMS, written last, the hash of each of them, in the form that `sha256sum -c` reads.
 */
export const MANIFEST = 'manifest.json'
export const SUMS = 'SHA256SUMS'
export const FORMAT = 1

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const backupTable = z.strictObject({
  name,
  columns: z.array(name),
  rows: z.number().int().nonnegative(),
  /** For a partition of one day: its table, and the day as bounds. */
  partOf: name.nullable(),
  bounds: z
    .string()
    .regex(/^FOR VALUES FROM \('[\d :+-]+'\) TO \('[\d :+-]+'\)$/)
    .nullable(),
})
export type BackupTable = z.infer<typeof backupTable>

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  postgres: z.string(),
  /** The migrations that had run, in order. */
  schema: z.array(z.string().regex(/^\w+$/)).min(1),
  tables: z.array(backupTable),
  sequences: z.array(z.strictObject({ name, last: z.number().int().nullable() })),
  /** Null if the files are in a storage account. */
  blobs: z.strictObject({ count: z.number(), bytes: z.number(), missing: z.array(z.string()) }).nullable(),
})
export type Manifest = z.infer<typeof manifest>

export const tableFile = (table: string): string => `tables/${table}.copy.gz`
export const blobFile = (blob: string): string => `blobs/${blob}`

/** Hashes the bytes that pass through. */
export function hashing() {
  const hash = createHash('sha256')
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { through, result: () => ({ sha256: hash.digest('hex'), bytes }) }
}

/** Writes the manifest, and last of all the hashes. */
export async function seal(folder: string, given: Manifest, sums: ReadonlyMap<string, string>): Promise<void> {
  const text = `${JSON.stringify(given, null, 1)}\n`
  await writeFile(path.join(folder, MANIFEST), text, { mode: 0o600, flush: true })
  const all = new Map([...sums, [MANIFEST, createHash('sha256').update(text).digest('hex')]])
  const lines = [...all].map(([file, sha256]) => `${sha256}  ${file}\n`)
  const file = path.join(folder, SUMS)
  await writeFile(`${file}.part`, lines.join(''), { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

const damaged = (what: string) => new StartError(`The backup is damaged: ${what} Nothing was restored.`)

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

async function readSums(folder: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(folder, SUMS), 'utf8').catch(() => undefined)
  if (text === undefined) {
    throw new StartError(`The backup in ${folder} is incomplete: the file ${SUMS}, which is written last, is missing.`)
  }
  const lines = text.split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const [, sha256, file] = /^([0-9a-f]{64}) {2}((?:[\w=-]+\/)*[\w.-]+)$/.exec(line) ?? []
      if (!sha256 || !file || path.basename(file).startsWith('..')) throw damaged(`${SUMS} cannot be read.`)
      return [file, sha256]
    }),
  )
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

/** Reads a backup's manifest after comparing every file with its hash; refuses a damaged backup as a whole. */
export async function openBackup(folder: string, say: (sentence: string) => void): Promise<Manifest> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new StartError(`Folder ${folder} not found.`)
  }
  const sums = await readSums(folder)
  say(`Checking ${sums.size} files.`)
  const there = new Set(await filesIn(folder))
  for (const [file, sha256] of sums) {
    if (!there.has(file)) throw damaged(`the file ${file} is missing.`)
    if ((await hashOf(path.join(folder, file))) !== sha256) throw damaged(`the file ${file} was changed.`)
  }
  const given: unknown = JSON.parse(await readFile(path.join(folder, MANIFEST), 'utf8'))
  const { format } = given as { format?: unknown }
  if (format !== FORMAT) {
    throw new StartError(
      `The backup has the format ${String(format)}; this version of the program reads format ${FORMAT}.`,
    )
  }
  const { data, error } = manifest.safeParse(given)
  if (error) throw damaged(`${MANIFEST} says ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}.`)
  for (const table of data.tables) if (!sums.has(tableFile(table.name))) throw damaged(`${table.name} has no rows.`)
  return data
}

const NEWLINE = 0x0a

/** The rows in a file of a table: COPY ends each with a newline, and writes those within as `\n`. */
async function rowsIn(file: string): Promise<number> {
  let rows = 0
  const unpacked = createReadStream(file).pipe(createGunzip())
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows++
  }
  return rows
}

/** Checks a backup without a database: every file against its hash, every table unpacked and its rows counted. */
export async function checkBackup(folder: string, say: (sentence: string) => void): Promise<Manifest> {
  const manifest = await openBackup(folder, say)
  for (const { name, rows } of manifest.tables) {
    const found = await rowsIn(path.join(folder, tableFile(name)))
    if (found !== rows) throw new StartError(`The table ${name} has ${found} rows, but ${rows} were backed up.`)
  }
  return manifest
}
