import { decodingSeconds } from '../decoding/decoder.ts'
import { keptFor } from '../lifetimes/lifetime.ts'
import { defineModule } from '../module.ts'
import { storageSeconds } from './measured-store.ts'
import { removeStrayUploads, removeUnclaimedFiles } from './queries.ts'
import { fileRoutes } from './routes.ts'

export { azureSigningSecret } from './azure-account.ts'
export { openBlob } from './blob-source.ts'
export { listBlobs } from './local-blobs.ts'
export { openLocalStore } from './local-store.ts'
export { measuredStore } from './measured-store.ts'
export { moveBlobs } from './move-blobs.ts'
export { openAzureStore } from './open-azure.ts'
export { claimFile, getStoredFile } from './queries.ts'
export { fileColumn, toFileRef, isValidSignedUrl, longLivedFileUrl, longLivedUrl, withSignedUrls } from './reference.ts'
export { sendBlob } from './send.ts'
export { loadOrCreateSigningSecret, setSigningSecret } from './signature.ts'
export type { BlobStore } from './store.ts'
export { storeUploadedPicture } from './uploads.ts'

export const fileModule = defineModule({
  name: 'platform/files',
  tables: {
    stored_file: {
      ...keptFor(
        '24 hours',
        'announced_at',
        { bound: 'At most 200 unused files or 5 GB for each user.' },
        { by: removeUnclaimedFiles },
      ),
      kept: 'as long as a record uses it, unused ones for a day',
      also: removeStrayUploads,
    },
  },
  nameColumns: { stored_file: 'original_name' },
  dbErrors: { stored_file_unclaimed_limit: 'uploadQuota' },
  routes: fileRoutes,
  metrics: [storageSeconds, decodingSeconds],
})
