import { defineJob } from '../jobs/define-job.ts'
import { removeStrayUploads, removeUnclaimedFiles } from './queries.ts'

export const sweepFilesJob = defineJob({
  name: 'sweep-files',
  every: '10m',
  lock: 'node',
  run: async ({ db, blobs, signal }) => {
    await removeUnclaimedFiles(db, blobs, signal)
    await removeStrayUploads(db, blobs, signal)
  },
})
