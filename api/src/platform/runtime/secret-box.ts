import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

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

/** The IV, the tag and the encrypted data. They open only with the same key, for the same owner. */
export function encrypt(data: Buffer, secret: Buffer, owner = ''): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([cipher.update(data), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

/** The data, or undefined if it was encrypted with another key or for another owner. */
export function decrypt(encrypted: Buffer, secret: Buffer, owner = ''): Buffer | undefined {
  const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  // Node takes shorter tags, too, which are easier to guess.
  if (tag.length !== TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', secret, encrypted.subarray(0, IV_BYTES))
  try {
    decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
    return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/** Encrypts a secret that has to be read back. It opens only for the same owner, so a row cannot pass as another's. */
export const seal = (secret: Buffer, owner: string): Buffer =>
  Buffer.concat([keyIdOf(key), encrypt(secret, key, owner)])

/** The secret, or undefined if it was sealed with another key or for another owner. */
export const unseal = (sealed: Buffer, owner: string): Buffer | undefined =>
  sealed.subarray(0, KEY_ID_BYTES).equals(keyIdOf(key)) ? decrypt(sealed.subarray(KEY_ID_BYTES), key, owner) : undefined

/** A signature over data that goes out and comes back. The purpose keeps one kind from passing as another. */
export const signWithKey = (data: Buffer, purpose: string): Buffer =>
  createHmac('sha256', key).update(`sign ${purpose}\n`).update(data).digest()
