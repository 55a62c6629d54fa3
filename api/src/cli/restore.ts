import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { hasUnfinishedRestore, refuseFilled, restoreBackup } from '../platform/backup/restore.ts'
import { allowRestoring } from '../platform/db/embedded/roles.ts'
import { type EmbeddedServer, runningUrl, startEmbedded } from '../platform/db/embedded/server.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say } from './command.ts'

async function restore(env: Env, from: string): Promise<void> {
  const blobFolder = env.azureStorage ? undefined : path.join(env.dataDir, 'blobs')
  const databaseUrl = env.databaseOwnerUrl ?? env.databaseUrl
  if (databaseUrl) {
    await restoreBackup({ from, blobFolder, openDatabase: async () => databaseUrl, say })
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
    await restoreBackup({ from, blobFolder, openDatabase, say })
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

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values
  if (!from) throw new StartError('Usage: npm run restore -- --from FOLDER')
  await restore(env, path.resolve(from))
  say('The backup is restored.')
}

await runCommand(main)
