import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { hasUnfinishedRestore, refuseFilled, restoreBackup } from '../platform/backup/restore.ts'
import { holdsKey, openSealedKey, refuseOtherKey, SEALED_WITH_KEY, writeKey } from '../platform/backup/secret-key.ts'
import { allowRestoring } from '../platform/db/embedded/roles.ts'
import { type EmbeddedServer, runningUrl, startEmbedded } from '../platform/db/embedded/server.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say } from './command.ts'

type Rows = Pick<Parameters<typeof restoreBackup>[0], 'from' | 'secretKey'>

async function restoreRows(env: Env, rows: Rows): Promise<void> {
  const blobFolder = env.azureStorage ? undefined : path.join(env.dataDir, 'blobs')
  const databaseUrl = env.databaseOwnerUrl ?? env.databaseUrl
  if (databaseUrl) {
    await restoreBackup({ ...rows, blobFolder, openDatabase: async () => databaseUrl, say })
    return
  }
  const dir = path.join(env.dataDir, 'postgres')
  const isNew = ((await readdir(dir).catch(() => [])) as string[]).length === 0
  let server: EmbeddedServer | undefined
  async function openDatabase(): Promise<string> {
    if (isNew && blobFolder) await refuseFilled(blobFolder)
    if (!isNew && (await runningUrl(dir))) await refuseFilled(dir)
    const started = await startEmbedded({ dir, log: say })
    if (!isNew && !(await hasUnfinishedRestore(started.url))) {
      await started.stop()
      await refuseFilled(dir)
    }
    server = started
    await allowRestoring(server.superuserUrl)
    return server.url
  }
  try {
    await restoreBackup({ ...rows, blobFolder, openDatabase, say })
    await server?.stop()
  } catch (error) {
    if (server) {
      await server.stop()
      // A partial restore must not look like a complete one.
      if (isNew) for (const folder of [dir, blobFolder]) if (folder) await rm(folder, { recursive: true, force: true })
    }
    throw error
  }
}

/** The secret key that the backup holds. A restore leaves it out only on purpose. */
function keyOf(env: Env, { from, isLeftOut }: { from: string; isLeftOut: boolean }) {
  let key: Buffer | undefined
  return {
    get isRestored() {
      return key !== undefined
    },
    async check(): Promise<void> {
      if (isLeftOut || !(await holdsKey(from))) return
      if (env.backupPassphrase === undefined) throw new StartError(NO_PASSPHRASE)
      key = await openSealedKey(from, env.backupPassphrase)
      if (key) await refuseOtherKey(key, env)
    },
    async write(): Promise<void> {
      if (key) await writeKey(key, env)
    },
  }
}

const NO_PASSPHRASE =
  'This backup holds the secret key, sealed. Set BACKUP_PASSPHRASE to the passphrase that it was made with, or restore with --without-key. Nothing was changed.'

const NO_KEY = `The secret key was not restored. Put the old one into SECRET_KEY or DATA_DIR/secret.key before the first start; without it these are lost: ${SEALED_WITH_KEY}.`

const options = { from: { type: 'string' }, 'without-key': { type: 'boolean' } } as const

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const { from: given, 'without-key': isLeftOut = false } = parseArgs({ options }).values
  if (!given) throw new StartError('Usage: npm run restore -- --from FOLDER [--without-key]')
  const from = path.resolve(given)
  const secretKey = keyOf(env, { from, isLeftOut })
  await restoreRows(env, { from, secretKey })
  say('The backup is restored.')
  say(secretKey.isRestored ? 'The secret key is restored with it.' : NO_KEY)
}

await runCommand(main)
