import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../runtime/start-error.ts'

const SECRET_BYTES = 32

// One key for the whole process, as records sign addresses wherever they are read. Until a start names the kept one,
// a random key: what it signs is worth nothing elsewhere.
let key: Buffer = randomBytes(SECRET_BYTES)

/** Signs with this key from now on; every node of a deployment is given the same. */
export function setSigningSecret(secret: Buffer): void {
  key = secret
  remembered.clear()
}

/** The signature over what an address allows. */
export const sign = (...allowed: (string | number)[]): string =>
  createHmac('sha256', key).update(allowed.join('\n')).digest('base64url')

const remembered = new Map<string, string>()
const MAX_REMEMBERED = 10_000

/** As `sign`, for what is signed again and again: a file's address stays the same for an hour, in every list it is in. */
export function signCached(...allowed: (string | number)[]): string {
  const text = allowed.join('\n')
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const signature = sign(text)
  remembered.set(text, signature)
  return signature
}

export function isValidSignature(signature: string, ...allowed: (string | number)[]): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(sign(...allowed))
  return given.length === right.length && timingSafeEqual(given, right)
}

export const isExpired = (expires: number): boolean => expires * 1000 <= Date.now()

/** The secret that this data folder keeps, made on the first start. */
export async function loadOrCreateSigningSecret(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'signing.key')
  await mkdir(dataDir, { recursive: true })
  // Whole under another name first: who starts at the same moment must not read half of it.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomBytes(SECRET_BYTES).toString('base64'), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  const secret = Buffer.from(await readFile(file, 'utf8'), 'base64')
  // Anybody could sign with nothing.
  if (secret.length !== SECRET_BYTES) {
    throw new StartError(`The key in ${file} is damaged. Delete the file: the next start makes a new one.`)
  }
  return secret
}
