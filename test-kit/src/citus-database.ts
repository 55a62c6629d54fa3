import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { distribute } from '@roadshow/api/live/cluster/index'
import { createOnCluster, sealOnCluster } from './citus.ts'
import { startCitusServers } from './citus-servers.ts'
import startServer from './database.ts'

// Few parts are created and cloned quickly; a real cluster has more.
const SHARDS = 4

/** One PostgreSQL as for all tests, and beside it a cluster with a migrated and distributed database, where Citus is. */
export default async function startBoth(project: TestProject) {
  const stopServer = await startServer(project)
  const servers = await startCitusServers()
  if (!servers) {
    project.provide('cluster', null)
    return stopServer
  }
  const { nodes } = servers
  const template = `roadshow_${randomUUID().replaceAll('-', '')}`
  await distribute({ url: await createOnCluster(nodes, template), workers: [], shards: SHARDS, say: () => {} })
  await sealOnCluster(nodes, template)
  project.provide('cluster', { nodes, template })
  return async () => {
    await servers.stop()
    await stopServer()
  }
}
