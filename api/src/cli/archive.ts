import path from 'node:path'
import { formatDay, NIL_UUID, countOf } from '@roadshow/contract'
import { type Env, readEnv } from '../env.ts'
import { listArchive, type PlayStores, restoreArchive, verifyArchive } from '../live/plays/index.ts'
import { connect } from '../platform/db/connection.ts'
import { openAzureStore, openLocalStore } from '../platform/files/index.ts'
import { ParquetFiles } from '../platform/parquet/index.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say, withDatabase } from './command.ts'

const USAGE = 'Usage: npm run archive -- verify | list | restore'

const openBlobs = ({ azureStorage, publicUrl, dataDir }: Env) =>
  azureStorage
    ? openAzureStore(azureStorage.connection, azureStorage.container, new URL(publicUrl).origin)
    : openLocalStore(path.join(dataDir, 'blobs'))

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

async function verify(stores: PlayStores): Promise<boolean> {
  const report = await verifyArchive(stores, (blob, problem) => say(`${blob} ${problem}.`))
  const all = `${countOf(report.files, 'file')} with ${countOf(report.plays, 'play')}, ${megabytes(report.bytes)}`
  const { length } = report.problems
  say(length === 0 ? `The archive is complete: ${all}.` : `${length} of ${all} are not as archived.`)
  return length === 0
}

async function list(stores: PlayStores): Promise<boolean> {
  for (const { day, market, rows, bytes, blob } of await listArchive(stores)) {
    const plays = `${countOf(rows, 'play')}${market === NIL_UUID ? ' without a shift' : ''}`
    say(`${formatDay(day)}: ${plays}, ${megabytes(bytes)}, ${blob}`)
  }
  return true
}

async function restore(stores: PlayStores): Promise<boolean> {
  await restoreArchive(stores, (day) => say(`${formatDay(day)} is in the database again.`))
  say('All plays are in the database. Set ARCHIVE_AFTER_DAYS=off to keep them there.')
  return true
}

const commands: Record<string, (stores: PlayStores) => Promise<boolean>> = { verify, list, restore }

async function main(): Promise<boolean> {
  const env = readEnv(process.env)
  const command = commands[process.argv[2] ?? '']
  if (!command || process.argv.length > 3) throw new StartError(USAGE)
  return withDatabase(env, async (url) => {
    const { db, close } = connect(url)
    const parquet = new ParquetFiles(await openBlobs(env), path.join(env.dataDir, 'parquet'))
    try {
      return await command({ db, parquet })
    } finally {
      await parquet.close()
      await close()
    }
  })
}

await runCommand(async () => {
  // A storage that is watched in the background would keep the process.
  process.exit((await main()) ? 0 : 1)
})
