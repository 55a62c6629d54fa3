import { defineJob } from '../jobs/define-job.ts'
import { removeUnclaimedFiles } from './queries.ts'

export const sweepFilesJob = defineJob({
  name: 'sweep-files',
  every: '10m',
  lock: 'node',
  run: ({ db, blobs, signal }) => removeUnclaimedFiles(db, blobs, signal),
})
