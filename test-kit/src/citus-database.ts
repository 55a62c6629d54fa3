import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { distribute } from '@roadshow/api/live/cluster/index'
import { createOnCluster, dropOnCluster, findNodes, sealOnCluster } from './citus.ts'
import startServer from './database.ts'

// Few parts are created and cloned quickly; a real cluster has more.
const SHARDS = 4

/** One PostgreSQL as for all tests, and beside it a migrated and distributed database on the cluster, if there is one. */
export default async function startBoth(project: TestProject) {
  const stopServer = await startServer(project)
  // oxlint-disable-next-line node/no-process-env
  const { CITUS_URL: url, CITUS_WORKER_DATA: workerData } = process.env
  if (!url) {
    project.provide('cluster', null)
    return stopServer
  }
  const nodes = await findNodes(url)
  const template = `roadshow_${randomUUID().replaceAll('-', '')}`
  await distribute({ url: await createOnCluster(nodes, template), workers: [], shards: SHARDS, say: () => {} })
  await sealOnCluster(nodes, template)
  project.provide('cluster', { nodes, template, workerData })
  return async () => {
    await dropOnCluster(nodes, template)
    await stopServer()
  }
}
