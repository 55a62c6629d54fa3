import path from 'node:path'
import { parseArgs } from 'node:util'
import { checkBackup } from '../platform/backup/format.ts'
import { keepNewest } from '../platform/backup/keep.ts'
import { makeBackup } from '../platform/backup/make.ts'
import { connect } from '../platform/db/connection.ts'
import { recordEvents } from '../platform/outbox/index.ts'
import { readEnv } from '../env.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say, withDatabase } from './command.ts'

const USAGE = `Usage: npm run backup -- --to FOLDER [--keep NUMBER]
       npm run backup -- --check FOLDER`

const options = { to: { type: 'string' }, keep: { type: 'string' }, check: { type: 'string' } } as const

function readArguments() {
  try {
    const { to, keep, check } = parseArgs({ options }).values
    if (check !== undefined && to === undefined && keep === undefined) return { check: path.resolve(check) }
    if (check !== undefined || !to || (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))) throw new StartError(USAGE)
    return { to: path.resolve(to), keep: keep === undefined ? undefined : Number(keep) }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

async function main(): Promise<void> {
  const wanted = readArguments()
  if (wanted.check !== undefined) return check(wanted.check)
  const env = readEnv(process.env)
  const blobFolder = env.azureStorage ? undefined : path.join(env.dataDir, 'blobs')
  await withDatabase(env, (url) => makeReported(url, wanted.to, blobFolder))
  // Only a backup that is complete replaces an older one.
  if (wanted.keep !== undefined) await keepNewest(wanted.to, wanted.keep, say)
}

async function check(folder: string): Promise<void> {
  const { createdAt, tables, blobs, schema } = await checkBackup(folder, say)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en-US')
  const files = blobs ? `${blobs.count.toLocaleString('en-US')} files` : 'no files (they are in the storage account)'
  for (const blob of blobs?.missing ?? []) say(`The file ${blob} was missing when the backup was made.`)
  say(
    `The backup of ${createdAt} is whole: ${tables.length} tables with ${rows} rows, ${files}, schema ${schema.at(-1)}.`,
  )
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

await runCommand(main)
