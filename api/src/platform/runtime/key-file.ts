import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from './start-error.ts'

const KEY_BYTES = 32

/** The key in a file, which is created on the first start. */
export async function loadOrCreateKey(file: string): Promise<Buffer> {
  await mkdir(path.dirname(file), { recursive: true })
  // Written under another name first: a process that starts at the same moment must not read half of it.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  // An empty key would let anyone sign or decrypt.
  if (key.length !== KEY_BYTES) {
    throw new StartError(`The key in ${file} is damaged. Delete the file; the next start creates a new one.`)
  }
  return key
}
