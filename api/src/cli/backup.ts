import path from 'node:path'
import { parseArgs } from 'node:util'
import { checkBackup } from '../platform/backup/format.ts'
import { keepNewest, newestBackup } from '../platform/backup/keep.ts'
import { makeBackup } from '../platform/backup/make.ts'
import { noteInDatabase } from '../platform/backup/runs.ts'
import { findKey, holdsKey, openSealedKey, SEALED_WITH_KEY, sealKey } from '../platform/backup/secret-key.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say, withDatabase } from './command.ts'

const USAGE = `Usage: npm run backup -- --to FOLDER [--keep NUMBER]
       npm run backup -- --check FOLDER [--note]

FOLDER of --check is a backup, or holds backups: then the newest is checked.
--note notes in the database that it is whole, and notifies admins if it is not.`

const options = {
  to: { type: 'string' },
  keep: { type: 'string' },
  check: { type: 'string' },
  note: { type: 'boolean' },
} as const

function readArguments() {
  try {
    const { to, keep, check, note = false } = parseArgs({ options }).values
    if (check !== undefined && to === undefined && keep === undefined) return { check: path.resolve(check), note }
    const isNumber = keep === undefined || /^[1-9]\d{0,3}$/.test(keep)
    if (check !== undefined || !to || note || !isNumber) throw new StartError(USAGE)
    return { to: path.resolve(to), keep: keep === undefined ? undefined : Number(keep) }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

async function main(): Promise<void> {
  const wanted = readArguments()
  const env = readEnv(process.env)
  if (wanted.check !== undefined)
    return wanted.note ? checkAndNote(env, wanted.check) : void (await check(env, wanted.check))
  await withDatabase(env, (url) => makeAndNote(env, url, wanted.to))
  // Only a backup that is complete replaces an older one.
  if (wanted.keep !== undefined) await keepNewest(wanted.to, wanted.keep, say)
}

/** Checks a backup, and with the passphrase that it opens the secret key. */
async function check(env: Env, given: string): Promise<{ folder: string; hasKey: boolean }> {
  const folder = await newestBackup(given)
  const { createdAt, tables, blobs, schema } = await checkBackup(folder, say)
  const hasKey = await holdsKey(folder)
  if (env.backupPassphrase !== undefined) await openSealedKey(folder, env.backupPassphrase)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en-US')
  const files = blobs ? `${blobs.count.toLocaleString('en-US')} files` : 'no files (they are in the storage account)'
  for (const blob of blobs?.missing ?? []) say(`The file ${blob} was missing when the backup was made.`)
  const key = hasKey ? 'with the secret key' : 'without the secret key'
  say(
    `The backup of ${createdAt} is whole: ${tables.length} tables with ${rows} rows, ${files}, ${key}, schema ${schema.at(-1)}.`,
  )
  return { folder, hasKey }
}

async function checkAndNote(env: Env, given: string): Promise<void> {
  await withDatabase(env, async (url) => {
    try {
      await note(url, { kind: 'check', ...(await check(env, given)) })
    } catch (error) {
      const data = { folder: given, reason: (error as Error).message }
      await note(url, { type: 'backup.damaged', object: 'backup', data })
      throw error
    }
  })
}

/** Makes the backup. A failure is an event: admins get a message while the console runs. */
async function makeAndNote(env: Env, url: string, folder: string): Promise<void> {
  const blobFolder = env.azureStorage ? undefined : path.join(env.dataDir, 'blobs')
  try {
    const sealedKey = await sealedKeyOf(env)
    const { blobs, createdAt } = await makeBackup({ url, blobFolder, to: folder, sealedKey, say })
    if (!blobs) say('The files are in the storage account and are not part of this backup.')
    for (const blob of blobs?.missing ?? []) say(`The file ${blob} is missing from the storage and from the backup.`)
    say(`The backup of ${createdAt} is complete: ${folder}`)
    await note(url, { kind: 'backup', folder, hasKey: sealedKey !== undefined })
  } catch (error) {
    await note(url, { type: 'backup.failed', object: 'backup', data: { folder, reason: (error as Error).message } })
    throw error
  }
}

/** The secret key for the backup. Says what a restore will lack where it is not kept. */
async function sealedKeyOf(env: Env): Promise<string | undefined> {
  const key = await findKey(env)
  if (key && env.backupPassphrase !== undefined) return sealKey(key, env.backupPassphrase)
  const why = key ? 'BACKUP_PASSPHRASE is not set' : `there is none in ${env.dataDir}, and SECRET_KEY is not set`
  say(
    `Warning: the secret key is not kept in this backup, because ${why}. Without the key a restore loses what it seals: ${SEALED_WITH_KEY}.`,
  )
  return undefined
}

async function note(url: string, ended: Parameters<typeof noteInDatabase>[1]): Promise<void> {
  if (!(await noteInDatabase(url, ended))) say('This could not be noted in the database.')
}

await runCommand(main)
