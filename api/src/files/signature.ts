import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

// One key for the whole process, as records sign addresses wherever they are read. Until a start names the kept one,
// a random key: what it signs is worth nothing elsewhere.
let key: Buffer = randomBytes(32)

/** Signs with this key from now on; every node of a deployment is given the same. */
export function signWith(secret: Buffer): void {
  key = secret
  remembered.clear()
}

/** The signature over what an address allows. */
export const sign = (...allowed: (string | number)[]): string =>
  createHmac('sha256', key).update(allowed.join('\n')).digest('base64url')

const remembered = new Map<string, string>()
const MAX_REMEMBERED = 10_000

/** As `sign`, for what is signed again and again: a file's address stays the same for an hour, in every list it is in. */
export function signAgain(...allowed: (string | number)[]): string {
  const text = allowed.join('\n')
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const signature = sign(text)
  remembered.set(text, signature)
  return signature
}

export function isSigned(signature: string, ...allowed: (string | number)[]): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(sign(...allowed))
  return given.length === right.length && timingSafeEqual(given, right)
}

export const isPast = (expires: number): boolean => expires * 1000 <= Date.now()

/** The secret that this data folder keeps, made on the first start. */
export async function keptSecret(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'signing.key')
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return Buffer.from(await readFile(file, 'utf8'), 'base64')
}
