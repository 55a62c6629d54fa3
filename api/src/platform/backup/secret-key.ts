import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { decrypt, encrypt } from '../runtime/secret-box.ts'
import { StartError } from '../runtime/start-error.ts'

/** The file of a backup that holds the secret key, sealed with a passphrase. */
export const KEY_FILE = 'secret.key.sealed'

/** What the secret key opens, for sentences that say what is lost without it. */
export const SEALED_WITH_KEY =
  'secrets of webhooks, keys of push notifications and authenticator apps, waiting messages and sign-ins by single sign-on under way'

const KEY_BYTES = 32
const SALT_BYTES = 16
const OWNER = 'backup'
// Half a second and 128 MB for each guess of the passphrase.
const COST = { N: 2 ** 17, r: 8, p: 1 }

const sealedKey = z.strictObject({
  format: z.literal(1),
  kdf: z.literal('scrypt'),
  N: z.literal(COST.N),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  salt: z.base64(),
  sealed: z.base64(),
})

const derive = promisify(
  scrypt as (...given: [string, Buffer, number, ScryptOptions, (error: Error | null, key: Buffer) => void]) => void,
)

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase, salt, KEY_BYTES, { ...COST, maxmem: 256 * COST.N * COST.r })

/** Seals the secret key with a passphrase, as text for a file. */
export async function sealKey(key: Buffer, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const sealed = encrypt(key, await keyOf(passphrase, salt), OWNER)
  const content: z.infer<typeof sealedKey> = {
    format: 1,
    kdf: 'scrypt',
    ...COST,
    salt: salt.toString('base64'),
    sealed: sealed.toString('base64'),
  }
  return `${JSON.stringify(content, null, 1)}\n`
}

const readSealed = (backup: string): Promise<string | undefined> =>
  readFile(path.join(backup, KEY_FILE), 'utf8').catch(() => undefined)

/** Whether a backup holds the secret key. */
export const holdsKey = async (backup: string): Promise<boolean> => (await readSealed(backup)) !== undefined

/** The secret key of a backup, or undefined if it holds none; refuses a passphrase that does not open it. */
export async function openSealedKey(backup: string, passphrase: string): Promise<Buffer | undefined> {
  const text = await readSealed(backup)
  if (text === undefined) return undefined
  const { data, error } = sealedKey.safeParse(JSON.parse(text))
  if (error) throw new StartError(`The file ${KEY_FILE} of the backup can't be read.`)
  const key = decrypt(
    Buffer.from(data.sealed, 'base64'),
    await keyOf(passphrase, Buffer.from(data.salt, 'base64')),
    OWNER,
  )
  if (key?.length === KEY_BYTES) return key
  throw new StartError(
    'BACKUP_PASSPHRASE does not open the secret key of this backup: it was made with another one. Nothing was changed.',
  )
}

interface KeyOfNode {
  /** SECRET_KEY, where it is set. */
  secretKey: Buffer | undefined
  /** DATA_DIR, which has the key otherwise. */
  dataDir: string
}

const fileOf = (dataDir: string) => path.join(dataDir, 'secret.key')

/** The secret key of a node, without making one; undefined if there is none. */
export async function findKey({ secretKey, dataDir }: KeyOfNode): Promise<Buffer | undefined> {
  if (secretKey) return secretKey
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined)
  const key = text === undefined ? undefined : Buffer.from(text, 'base64')
  return key?.length === KEY_BYTES ? key : undefined
}

/** Refuses a key of the backup that the node would not use, because it has another one. */
export async function refuseOtherKey(key: Buffer, node: KeyOfNode): Promise<void> {
  const own = await findKey(node)
  if (!own || own.equals(key)) return
  throw new StartError(
    node.secretKey
      ? 'SECRET_KEY is another key than that of the backup. Leave it out for the restore, which writes the key of the backup into DATA_DIR. Nothing was changed.'
      : `${fileOf(node.dataDir)} is another key than that of the backup. Move it away; the restore writes the right one. Nothing was changed.`,
  )
}

/** Writes the key where the next start reads it. */
export async function writeKey(key: Buffer, { secretKey, dataDir }: KeyOfNode): Promise<void> {
  if (secretKey) return
  await mkdir(dataDir, { recursive: true })
  await writeFile(fileOf(dataDir), key.toString('base64'), { mode: 0o600, flush: true })
}
