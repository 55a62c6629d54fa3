import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createGunzip } from 'node:zlib'
import { StartError } from '../runtime/start-error.ts'
import { type Manifest, openBackup, tableFile } from './format.ts'

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
