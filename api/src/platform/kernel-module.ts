import { databaseMetrics, measureDatabase } from './backup/measure.ts'
import { foldLongLists } from './db/records/totals.ts'
import { replicaLagBytes, replicaLagSeconds, replicaReads } from './db/replica.ts'
import { deleteOldHistory } from './history/entries.ts'
import { certificateExpiresAt, checkCertificate } from './http/certificate.ts'
import { defineJob } from './jobs/define-job.ts'
import { current, keptFor, queue } from './lifetimes/lifetime.ts'
import { defineModule } from './module.ts'

const foldListsJob = defineJob('fold-lists', ({ db, signal }) => foldLongLists(db, signal))

/** The tables of the platform itself. */
export const kernelModule = defineModule({
  name: 'platform',
  tables: {
    history: keptFor(
      'keepHistoryDays',
      'at',
      {
        bound:
          'Never younger than three years: the database refuses. The History tab says from when on changes are kept.',
      },
      { by: deleteOldHistory },
    ),
    idempotency_key: keptFor('1 day', 'created_at', { bound: 'Answers to calls with an Idempotency-Key.' }),
    list_change: {
      kept: 'until it is added up',
      bound: 'Counts of lists: folded into one row for each list when it is read, and by a job.',
    },
    backup_run: current,
    job_run: current,
    job_watermark: current,
    'merging.changed_row': queue,
  },
  metrics: [replicaReads, replicaLagBytes, replicaLagSeconds, certificateExpiresAt, ...databaseMetrics],
  jobs: [foldListsJob, measureDatabase, checkCertificate],
})
