import { defineModule } from '../module.ts'
import { storageSeconds } from './measured-store.ts'
import { fileRoutes } from './routes.ts'
import { sweepFilesJob } from './sweep.ts'

export { azureSigningSecret } from './azure-account.ts'
export { openLocalStore } from './local-store.ts'
export { measuredStore } from './measured-store.ts'
export { readExifBlock, refuseIfUndecodable, detectFileKind, openPicture, fileRefusal } from './picture.ts'
export { openAzureStore } from './open-azure.ts'
export { claimFile } from './queries.ts'
export { fileColumn, toFileRef, isValidSignedUrl, longLivedFileUrl, longLivedUrl, withSignedUrls } from './reference.ts'
export { sendBlob } from './send.ts'
export { loadOrCreateSigningSecret, setSigningSecret } from './signature.ts'
export type { BlobStore } from './store.ts'
export { storeUploadedPicture } from './uploads.ts'

export const fileModule = defineModule({
  name: 'platform/files',
  tables: ['stored_file'],
  nameColumns: { stored_file: 'original_name' },
  dbErrors: { stored_file_unclaimed_limit: 'uploadQuota' },
  routes: fileRoutes,
  jobs: [sweepFilesJob],
  metrics: [storageSeconds],
})
