import path from 'node:path'
import { buildApp, contextOf, type Deps, jobsOf } from '@roadshow/api/app'
import { readEnv } from '@roadshow/api/env'
import { connect } from '@roadshow/api/platform/db/connection'
import { loadOrCreateSigningSecret, openLocalStore, setSigningSecret } from '@roadshow/api/platform/files/index'
import type { Job } from '@roadshow/api/platform/jobs/define-job'
import { JOB_CONNECTIONS, runJob } from '@roadshow/api/platform/jobs/runner'
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
const ofJobs = connect(env.databaseUrl ?? '', JOB_CONNECTIONS)
const resources = { ...contextOf(deps), db: ofJobs.db, log: (error: unknown) => console.error(error) }
const jobs = jobsOf(resources)

app.post('/due', async () => {
  const run = (job: Job) => runJob(job, resources, { signal: new AbortController().signal })
  const ends = await Promise.allSettled(jobs.map(run))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return jobs.length
})
await app.listen({ host: env.host, port: env.port })
process.on('SIGTERM', () => void app.close().then(() => Promise.all([close(), ofJobs.close()])))
console.log('ready')
