import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup } from '../platform/backup/make.ts'
import { connect } from '../platform/db/connection.ts'
import { recordEvents } from '../platform/outbox/index.ts'
import { readEnv } from '../env.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { openDatabase } from './open-database.ts'

const say = (sentence: string) => console.log(sentence)

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values
  if (!to) throw new StartError('Usage: npm run backup -- --to FOLDER')
  const folder = path.resolve(to)
  const blobFolder = env.azureStorage ? undefined : path.join(env.dataDir, 'blobs')
  const { url, close } = await openDatabase(env, say)
  try {
    await makeReported(url, folder, blobFolder)
  } finally {
    await close?.()
  }
}

/** Makes the backup. A failure is an event: admins get a message while the console runs. */
async function makeReported(url: string, folder: string, blobFolder: string | undefined): Promise<void> {
  try {
    const { blobs, createdAt } = await makeBackup({ url, blobFolder, to: folder, say })
    if (!blobs) say('The files are in the storage account and are not part of this backup.')
    for (const blob of blobs?.missing ?? []) say(`The file ${blob} is missing from the storage and from the backup.`)
    say(`The backup of ${createdAt} is complete: ${folder}`)
  } catch (error) {
    await reportFailure(url, folder, (error as Error).message)
    throw error
  }
}

async function reportFailure(url: string, folder: string, reason: string): Promise<void> {
  const { db, close } = connect(url, { max: 1 })
  try {
    await recordEvents(db, [{ type: 'backup.failed', object: 'backup', data: { folder, reason } }])
  } catch {
    say('The failure could not be noted in the database.')
  } finally {
    await close()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
