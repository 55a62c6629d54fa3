import { parseArgs } from 'node:util'
import { readEnv } from '../env.ts'
import { distribute, parseWorkers, undistribute } from '../live/cluster/index.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say } from './command.ts'

const USAGE = `Usage: npm run distribute -- [--workers host:port,host:port] [--shards NUMBER]
       npm run distribute -- --undo`
const options = { workers: { type: 'string' }, shards: { type: 'string' }, undo: { type: 'boolean' } } as const

function readArguments() {
  try {
    const { workers, shards, undo = false } = parseArgs({ options }).values
    if (undo && (workers !== undefined || shards !== undefined)) throw new StartError(USAGE)
    if (shards !== undefined && !/^[1-9]\d{0,3}$/.test(shards)) throw new StartError(USAGE)
    return {
      workers: workers === undefined ? [] : parseWorkers(workers),
      shards: shards === undefined ? undefined : Number(shards),
      undo,
    }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(USAGE)
  }
}

async function main(): Promise<void> {
  const { workers, shards, undo } = readArguments()
  const { databaseUrl, databaseOwnerUrl } = readEnv(process.env)
  const url = databaseOwnerUrl ?? databaseUrl
  if (!url) throw new StartError('Set DATABASE_URL to the coordinator of the Citus cluster.')
  if (undo) {
    await undistribute({ url, say })
    say('Telemetry and plays are on one PostgreSQL again. The workers hold no rows any more.')
  } else {
    await distribute({ url, workers, shards, say })
    say('Telemetry and plays are spread over the workers by truck.')
  }
}

await runCommand(main)
