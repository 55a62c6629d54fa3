import { foldLongLists } from './db/records/totals.ts'
import { forgetIdempotencyKeys } from './http/idempotency.ts'
import { replicaLagBytes, replicaLagSeconds, replicaReads } from './db/replica.ts'
import { defineJob } from './jobs/define-job.ts'
import { defineModule } from './module.ts'

const forgetIdempotencyKeysJob = defineJob('forget-idempotency-keys', ({ db, signal }) =>
  forgetIdempotencyKeys(db, signal),
)

const foldListsJob = defineJob('fold-lists', ({ db, signal }) => foldLongLists(db, signal))

/** The tables of the platform itself. */
export const kernelModule = defineModule({
  name: 'platform',
  tables: ['history', 'idempotency_key', 'list_change', 'job_watermark'],
  metrics: [replicaReads, replicaLagBytes, replicaLagSeconds],
  jobs: [forgetIdempotencyKeysJob, foldListsJob],
})
