import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../env.ts'
import { runningUrl, startEmbedded } from '../platform/db/embedded/server.ts'
import { StartError } from '../platform/runtime/start-error.ts'

interface OpenDatabase {
  url: string
  close?: () => Promise<void>
}

/** The running database, or one started for the time of the command. */
export async function openDatabase(
  { databaseUrl, dataDir }: Env,
  log: (sentence: string) => void,
): Promise<OpenDatabase> {
  if (databaseUrl) return { url: databaseUrl }
  const dir = path.join(dataDir, 'postgres')
  const url = await runningUrl(dir)
  if (url) return { url }
  if (!existsSync(path.join(dir, 'cluster'))) throw new StartError(`No database found in the data folder ${dataDir}.`)
  const server = await startEmbedded({ dir, log })
  return { url: server.url, close: () => server.stop() }
}
