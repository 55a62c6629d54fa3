import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

// Keys follow from a random secret of 256 bits that only a browser holds, so they need no slow derivation.
const sealingKey = (secret: string) => createHmac('sha256', secret).update('seal').digest()

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a text so that only the holder of the secret can read it back. */
export function seal(text: string, secret: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secret), iv)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

/** The sealed text; undefined if the secret is another one. */
export function unseal(sealed: Buffer, secret: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(secret), sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    const rest = sealed.subarray(IV_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
