import { type BackgroundJob, services as calls } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { serve } from '../../platform/http/serve.ts'
import { intervalMs } from '../../platform/jobs/define-job.ts'
import { jobTable } from '../../platform/jobs/job-table.ts'
import { current } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { testConnection } from './connection-tests.ts'
import { listConnections } from './connections.ts'

/** Every job of the product, with its last run. */
async function loadJobs(db: Db): Promise<BackgroundJob[]> {
  const runs = await db.selectFrom('job_run').select(['job', 'ended_at as endedAt', 'outcome', 'seconds']).execute()
  const runOf = new Map(runs.map(({ job, ...run }) => [job, run as BackgroundJob['lastRun']]))
  return Object.entries(jobTable).map(([name, { what, every, runsOn }]) => ({
    name,
    what,
    everySeconds: intervalMs(every) / 1000,
    runsOn,
    lastRun: runOf.get(name) ?? null,
  }))
}

/** Tells admins what the server talks to and what of it is away, and what runs in the background. */
export const servicesModule = defineModule({
  name: 'console/services',
  tables: { connection_check: current },
  routes(app, context) {
    const { services } = context
    serve(app, calls.connections, async ({ db }) => ({ data: await listConnections(db, context) }))
    serve(app, calls.testConnection, async ({ db, scope: { actor }, body, request }) => ({
      data: await testConnection(body.key, { db, context, actor, request }),
    }))
    serve(app, calls.away, async () => ({ data: services.degraded }))
    serve(app, calls.jobs, async ({ db }) => ({ data: await loadJobs(db) }))
  },
})
