import { photoQueue, pops } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { isValidSignedUrl, sendBlob } from '../../platform/files/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { setPhotoStatus, updatePhoto } from './save.ts'
import { movePhoto } from './order.ts'
import { pageOfQueue } from './queue.ts'
import { newestPhotos, pageOfPhotos, photoRecords, picturePath, redactFor } from './records.ts'
import { servePhotoUploads } from './upload-routes.ts'
import { pictureBlob, type PictureFacts, type PictureSize } from './pictures.ts'

/** The endpoints of photos; pop/editor serves their deletion, which also concerns covers. */
export async function photoRoutes(app: App): Promise<void> {
  await servePhotoUploads(app, pops.addPhotos)

  serve(app, pops.photos, ({ db, scope, query }) => pageOfPhotos(db, scope, query))
  serve(app, photoQueue.list, ({ db, scope, query }) => pageOfQueue(db, scope, query))
  serve(app, pops.newest, ({ db, scope, query }) => newestPhotos(db, scope, query))
  serve(app, pops.photo, async ({ db, scope, params }) => ({
    data: redactFor(scope.actor)(await photoRecords.get(db, scope, params.uid)),
  }))
  serve(app, pops.updatePhoto, byBody(updatePhoto))
  serve(app, pops.setPhotoStatus, byBody(setPhotoStatus))
  serve(app, pops.movePhoto, byBody(movePhoto))
  serveHistory(app, pops.photoHistory, photoRecords, {
    program_uid: 'client_program',
    market_uid: 'market',
    shift_uid: 'shift',
    truck_uid: 'truck',
    taken_by: 'user_account',
  })
  serve(app, pops.picture, async ({ db, params: { key, size }, query: { expires, signature }, request }) => {
    if (!isValidSignedUrl(picturePath(key, size), expires, signature)) throw new AppError('fileLink')
    const { name, facts } = await loadPicture(db, key, size)
    const sent = { name, type: 'image/webp', size: facts.bytes, range: request.headers.range, cacheSeconds: HALF_DAY }
    return sendBlob(app.blobs, pictureBlob(key, size), sent)
  })
}

// Signed addresses stay the same this long.
const HALF_DAY = 12 * 3600

async function loadPicture(db: Db, key: string, size: PictureSize): Promise<{ name: string; facts: PictureFacts }> {
  const photo = await db
    .selectFrom('pop_photo')
    .select(['original_name', 'sizes'])
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!photo) throw new AppError('notFound')
  const sizes = photo.sizes as unknown as Record<PictureSize, PictureFacts>
  return { name: `${photo.original_name.replace(/\.[^.]*$/, '')}.webp`, facts: sizes[size] }
}
