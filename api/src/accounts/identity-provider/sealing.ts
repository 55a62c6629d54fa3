import { createHmac } from 'node:crypto'
import { decrypt, encrypt } from '../../platform/runtime/secret-box.ts'

// Keys follow from a random secret of 256 bits that only a browser holds, so they need no slow derivation.
const sealingKey = (secret: string) => createHmac('sha256', secret).update('seal').digest()

/** Encrypts a text so that only the holder of the secret can read it back. */
export const seal = (text: string, secret: string): Buffer => encrypt(Buffer.from(text), sealingKey(secret))

/** The sealed text; undefined if the secret is another one. */
export const unseal = (sealed: Buffer, secret: string): string | undefined =>
  decrypt(sealed, sealingKey(secret))?.toString()
