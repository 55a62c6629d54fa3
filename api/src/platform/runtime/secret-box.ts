import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 8

// One key for the whole process. It is random until the start sets the stored one.
let key: Buffer = randomBytes(32)

/** Sets the key that seals from now on. All nodes of a deployment use the same one. */
export function setSealingKey(secret: Buffer): void {
  key = secret
}

const keyIdOf = (secret: Buffer) =>
  createHash('sha256').update('key id').update(secret).digest().subarray(0, KEY_ID_BYTES)

/** Encrypts a secret that has to be read back. It opens only for the same owner, so a row cannot pass as another's. */
export function seal(secret: Buffer, owner: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([keyIdOf(key), iv, cipher.getAuthTag(), sealed])
}

/** The secret, or undefined if it was sealed with another key or for another owner. */
export function unseal(sealed: Buffer, owner: string): Buffer | undefined {
  const parts = [KEY_ID_BYTES, IV_BYTES, TAG_BYTES].reduce<{ at: number; cut: Buffer[] }>(
    ({ at, cut }, length) => ({ at: at + length, cut: [...cut, sealed.subarray(at, at + length)] }),
    { at: 0, cut: [] },
  )
  const [keyId, iv, tag] = parts.cut as [Buffer, Buffer, Buffer]
  if (!keyId.equals(keyIdOf(key)) || tag.length !== TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(parts.at)), decipher.final()])
  } catch {
    return undefined
  }
}
