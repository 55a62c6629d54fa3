import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import path from 'node:path'
import { loadOrCreateKey } from '../runtime/key-file.ts'
import { RecentlyUsed } from '../runtime/recently-used.ts'

const SECRET_BYTES = 32

// One key for the whole process, because any query may sign URLs. It is random until the start sets the stored one.
let key: Buffer = randomBytes(SECRET_BYTES)

const MAX_CACHED = 10_000
let cache = new RecentlyUsed<string>(MAX_CACHED)

/** Sets the key that signs from now on. All nodes of a deployment use the same one. */
export function setSigningSecret(secret: Buffer): void {
  key = secret
  cache = new RecentlyUsed(MAX_CACHED)
}

/** The signature over the parts of a URL that must not change. */
export const sign = (...parts: (string | number)[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url')

/** As `sign`, cached: the URL of a file stays the same for an hour, in every list that shows it. */
export function signCached(...parts: (string | number)[]): string {
  const text = parts.join('\n')
  const signature = cache.get(text) ?? sign(text)
  cache.set(text, signature)
  return signature
}

export function isValidSignature(signature: string, ...parts: (string | number)[]): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(sign(...parts))
  return given.length === right.length && timingSafeEqual(given, right)
}

export const isExpired = (expires: number): boolean => expires * 1000 <= Date.now()

/** The signing secret of this data folder, created on the first start. */
export const loadOrCreateSigningSecret = (dataDir: string): Promise<Buffer> =>
  loadOrCreateKey(path.join(dataDir, 'signing.key'))
