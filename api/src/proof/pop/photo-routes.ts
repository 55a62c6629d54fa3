import type { IncomingMessage } from 'node:http'
import { pops } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { isAddress, sendBlob } from '../../platform/files/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { removePhoto, setPhotoStatus, updatePhoto } from './photo-changes.ts'
import { movePhoto } from './photo-order.ts'
import { newestPhotos, photoRecords, picturePath, shownTo } from './photo-records.ts'
import { addPhotos } from './photos.ts'
import { pictureBlob, type PictureFacts, type PictureSize } from './pictures.ts'
import { room } from './room.ts'

export async function photoRoutes(app: App): Promise<void> {
  await servePhotoUploads(app, pops.addPhotos)

  serve(app, pops.photos, async ({ db, scope, query }) => {
    const found = await photoRecords.page(db, scope, query)
    return { ...found, data: found.data.map(shownTo(scope.actor)) }
  })
  serve(app, pops.newest, ({ db, scope, query }) => newestPhotos(db, scope, query))
  serve(app, pops.photo, async ({ db, scope, params }) => ({
    data: shownTo(scope.actor)(await photoRecords.get(db, scope, params.uid)),
  }))
  serve(app, pops.updatePhoto, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await updatePhoto(db, scope, uid, version, input),
  }))
  serve(app, pops.setPhotoStatus, async ({ db, scope, body }) => ({
    data: { changed: await setPhotoStatus(db, scope, body) },
  }))
  serve(app, pops.movePhoto, async ({ db, scope, body: { uid, before } }) => ({
    data: await movePhoto(db, scope, uid, before),
  }))
  serve(app, pops.removePhoto, async ({ db, scope, params }) => ({ data: await removePhoto(db, scope, params.uid) }))
  serveHistory(app, pops.photoHistory, photoRecords, {
    program_uid: 'client_program',
    market_uid: 'market',
    shift_uid: 'shift',
    truck_uid: 'truck',
    taken_by: 'user_account',
  })
  serve(app, pops.picture, async ({ db, params: { key, size }, query: { expires, signature }, request }) => {
    if (!isAddress(picturePath(key, size), expires, signature)) throw new AppError('fileLink')
    const { name, facts } = await pictureOf(db, key, size)
    const sent = { name, type: 'image/webp', size: facts.bytes, range: request.headers.range, cacheSeconds: HALF_DAY }
    return sendBlob(app.blobs, pictureBlob(key, size), sent)
  })
}

// As long as the address stays the same.
const HALF_DAY = 12 * 3600

async function pictureOf(db: Db, key: string, size: PictureSize): Promise<{ name: string; facts: PictureFacts }> {
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

// Photos wait in memory for their turn to be decoded. This much of them at a time; the others wait on the line.
const UPLOADS_BYTES = 64 * 1024 * 1024
// A phone that has lost its network says nothing, not even that.
const SILENT_MS = 60_000

// One for the whole process, whose memory it is.
const reading = room(UPLOADS_BYTES)

type PhotoUpload = Omit<typeof pops.addPhotos, 'path'> & { path: string }

/** Serves a call that adds photos. */
export async function servePhotoUploads(app: App, endpoint: PhotoUpload): Promise<void> {
  await app.register(async (uploads) => uploadRoutes(uploads, endpoint))
}

function uploadRoutes(app: App, endpoint: PhotoUpload): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = async function (request, reply) {
      if (!request.isMultipart()) return handler.call(this, request, reply)
      return reading(Number(request.headers['content-length'] ?? UPLOADS_BYTES), async () => {
        // Whoever left while waiting sends nothing more.
        if (request.raw.destroyed) throw new AppError('uploadUnfinished')
        endWhenSilent(request.raw)
        return handler.call(this, request, reply)
      })
    }
  })
  serve(app, endpoint, async ({ scope, body, files: { photos } }) => {
    if (photos.length === 0) throw new AppError('badInput', { fields: { photos: 'Choose at least one photo.' } })
    return { data: await addPhotos({ db: app.kernel.db, blobs: app.blobs }, scope, body, photos) }
  })
}

/** Ends a request that sends nothing for a while before it is complete, so that others get its room. */
function endWhenSilent(request: IncomingMessage): void {
  let heard = -1
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    if (bytesRead === heard) request.destroy()
    heard = bytesRead
  }, SILENT_MS)
  timer.unref()
  request.once('close', () => clearInterval(timer))
}
