import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { allowRestoring, APP_ROLE } from '@roadshow/api/platform/db/embedded/roles'
import { startEmbedded } from '@roadshow/api/platform/db/embedded/server'
import { migrate } from '@roadshow/api/platform/db/migrate'
import type { CitusNodes } from './citus.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server whose database `roadshow` is migrated: the template that each test file clones. */
    serverUrl: string
    /**
     * In tests on a Citus cluster: its machines, the database that each test file clones there, and the data folder of a
     * worker that may be killed.
     */
    cluster: { nodes: CitusNodes; template: string; workerData: string | undefined } | null | undefined
  }
}

/** Tests run as the app's own role, which besides may clone databases. */
async function allowCloning(superuserUrl: string) {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`alter role ${APP_ROLE} createdb`)
  await client.end()
}

const SHARED_MEMORY = '/dev/shm'
const ROOM_NEEDED = 8 * 2 ** 30

/**
 * A folder in memory where there is plenty of it, otherwise one on the disk. Each clone is a thousand files, which take
 * several times as long to create on a disk.
 */
async function folderForClones(): Promise<string> {
  try {
    await access(SHARED_MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(SHARED_MEMORY)
    if (Math.min(bavail * bsize, process.availableMemory()) >= ROOM_NEEDED) return SHARED_MEMORY
  } catch {
    // Not every system has it.
  }
  return os.tmpdir()
}

/** One real PostgreSQL for the whole test run. */
export default async function startServer(project: TestProject) {
  const folder = await mkdtemp(path.join(await folderForClones(), 'roadshow-test-'))
  const server = await startEmbedded({ dir: path.join(folder, 'postgres'), fsync: false })
  await allowRestoring(server.superuserUrl)
  await allowCloning(server.superuserUrl)
  await migrate(server.url)
  project.provide('serverUrl', server.url)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
