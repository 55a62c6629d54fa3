import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { photoDependents } from './dependents.ts'
import { removeDeletedPictures } from './picture-cleanup.ts'
import { regradePhotosJob } from './regrade.ts'
import { photoRoutes } from './routes.ts'

export { pictureBlob, type PictureSize } from './pictures.ts'
export {
  type ApprovedPhoto,
  approvedWithoutMarket,
  firstPhotos,
  isApprovedPicture,
  newestApproved,
  newestPhotos,
  photoRecords,
  pictureAddress,
  pictureAddresses,
  type ShownPhoto,
  toPublicPhoto,
} from './records.ts'
export { regradePhotosOfProgram } from './regrade.ts'
export { photoDeletion } from './save.ts'
export { addPhotos } from './upload.ts'
export { servePhotoUploads } from './upload-routes.ts'

export const photoModule = defineModule({
  name: 'proof/photos',
  tables: { pop_photo: { ...record, also: removeDeletedPictures } },
  nameColumns: { pop_photo: 'original_name' },
  routes: photoRoutes,
  dependents: [photoDependents],
  jobs: [regradePhotosJob],
})
