import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { allowRestoring, APP_ROLE } from '@roadshow/api/platform/db/embedded/roles'
import { startEmbedded } from '@roadshow/api/platform/db/embedded/server'
import { migrate } from '@roadshow/api/platform/db/migrate'
import type { CitusNodes } from './citus.ts'
import { folderForClones } from './clone-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server whose database `roadshow` is migrated: the template that each test file clones. */
    serverUrl: string
    /** In tests on a Citus cluster: its machines, and the database that each test file clones there. */
    cluster: { nodes: CitusNodes; template: string } | null | undefined
  }
}

/** Tests run as the app's own role, which besides may clone databases. */
async function allowCloning(superuserUrl: string) {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`alter role ${APP_ROLE} createdb`)
  await client.end()
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
