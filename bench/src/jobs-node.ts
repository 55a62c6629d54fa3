import path from 'node:path'
import { buildApp, contextOf, type Deps, jobsOf } from '@roadshow/api/app'
import { readEnv } from '@roadshow/api/env'
import { connect } from '@roadshow/api/platform/db/connection'
import { loadOrCreateSigningSecret, openLocalStore, setSigningSecret } from '@roadshow/api/platform/files/index'
import { runJob } from '@roadshow/api/platform/jobs/runner'
import { setSealingKey } from '@roadshow/api/platform/runtime/secret-box'

/** A node with the pool of a real one, whose jobs are all due in the same instant: whenever `/due` is called. */
const env = readEnv(process.env)
const { db, close } = connect(env.databaseUrl ?? '', { max: 20 })
const secret = await loadOrCreateSigningSecret(env.dataDir)
setSigningSecret(secret)
setSealingKey(secret)
const deps: Deps = {
  db,
  blobs: await openLocalStore(path.join(env.dataDir, 'blobs')),
  mailer: { send: async () => {} },
  env,
}
const app = await buildApp(deps)
const resources = { ...contextOf(deps), log: (error: unknown) => console.error(error) }
const jobs = jobsOf(resources)
const stopping = new AbortController()
const { signal } = stopping

app.post('/due', async () => {
  const ends = await Promise.allSettled(jobs.map((job) => runJob(job, resources, { signal })))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return jobs.length
})
await app.listen({ host: env.host, port: env.port })
process.on('SIGTERM', () => {
  stopping.abort()
  void app.close().then(close)
})
console.log('ready')
