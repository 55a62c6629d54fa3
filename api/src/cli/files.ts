import path from 'node:path'
import { parseArgs } from 'node:util'
import { countOf } from '@roadshow/contract'
import { readEnv } from '../env.ts'
import { type BlobStore, listBlobs, moveBlobs, openAzureStore, openLocalStore } from '../platform/files/index.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say } from './command.ts'

const USAGE = `Usage: npm run files -- move --to account|folder [--remove]

Copies every file from DATA_DIR/blobs to the storage account of AZURE_STORAGE_CONNECTION_STRING, or back, and reads each
copy back. A repeated run goes on where the last one ended. With --remove, each original is removed after that.`

const options = { to: { type: 'string' }, remove: { type: 'boolean', default: false } } as const

function readArguments() {
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const { to, remove } = values
    if (positionals.join(' ') !== 'move' || (to !== 'account' && to !== 'folder')) throw new StartError(USAGE)
    return { isToAccount: to === 'account', isRemoving: remove }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

const stopping = new AbortController()

async function main(): Promise<boolean> {
  const { isToAccount, isRemoving } = readArguments()
  const { azureStorage, dataDir, publicUrl } = readEnv(process.env)
  if (!azureStorage) throw new StartError('Set AZURE_STORAGE_CONNECTION_STRING to the storage account.')
  const blobFolder = path.join(dataDir, 'blobs')
  const local = await openLocalStore(blobFolder)
  const { connection, container } = azureStorage
  const account = await openAzureStore(connection, container, new URL(publicUrl).origin)
  const blobsOf = (store: BlobStore) => store.list?.('') ?? listBlobs(blobFolder)
  const moving = moveBlobs({
    from: isToAccount ? local : account,
    blobs: blobsOf(isToAccount ? local : account),
    to: isToAccount ? account : local,
    folder: dataDir,
    journal: path.join(dataDir, `files-in-${isToAccount ? 'account' : 'folder'}.sha256`),
    isRemoving,
    say,
    signal: stopping.signal,
  })
  const { copied, bytes, found, removed, failed } = await moving.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    throw new StartError(`${error.message} Run the command again later: it goes on where it stopped.`)
  })
  const place = isToAccount ? `the container ${container}` : blobFolder
  say(`${countOf(copied, 'file')} copied to ${place} and compared, ${megabytes(bytes)}; ${found} were there already.`)
  if (isRemoving) say(`${countOf(removed, 'original')} removed.`)
  if (stopping.signal.aborted) say('Stopped before the end. The same command goes on from here.')
  if (failed.length > 0) say(`${countOf(failed.length, 'file')} could not be moved. Run the command again.`)
  return failed.length === 0 && !stopping.signal.aborted
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())

await runCommand(async () => {
  // A storage that is watched in the background would keep the process.
  process.exit((await main()) ? 0 : 1)
})
