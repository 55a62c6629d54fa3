import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../env.ts'
import { runningUrl, startEmbedded } from '../platform/db/embedded/server.ts'
import { StartError } from '../platform/runtime/start-error.ts'

export const say = (sentence: string): void => console.log(sentence)

/** Runs a command. A problem that the operator can solve is a sentence, any other comes with where it happened. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  }
}

/** Works with the running database, or with one that is started for the time of the work. */
export async function withDatabase<T>({ databaseUrl, dataDir }: Env, work: (url: string) => Promise<T>): Promise<T> {
  const dir = path.join(dataDir, 'postgres')
  const url = databaseUrl ?? (await runningUrl(dir))
  if (url) return work(url)
  if (!existsSync(path.join(dir, 'cluster'))) throw new StartError(`No database found in the data folder ${dataDir}.`)
  const server = await startEmbedded({ dir, log: say })
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}
