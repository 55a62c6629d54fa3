import { defineJob } from '../jobs/define-job.ts'
import { removeStrayUploads, removeUnclaimedFiles } from './queries.ts'

export const sweepFilesJob = defineJob('sweep-files', async ({ db, blobs, timeUp: signal }) => {
  await removeUnclaimedFiles(db, blobs, signal)
  await removeStrayUploads(db, blobs, signal)
})
