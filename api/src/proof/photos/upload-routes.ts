import type { IncomingMessage } from 'node:http'
import type { pops } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import { semaphore } from '../../platform/runtime/semaphore.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { addPhotos } from './upload.ts'

// Uploads wait in memory for decoding. This bounds their bytes; further uploads wait unread.
const UPLOADS_BYTES = 64 * 1024 * 1024
// A phone that has lost its network sends nothing, not even a reset.
const SILENCE_MS = 60_000

// One for the whole process, because it bounds the memory of the process.
const uploading = semaphore(UPLOADS_BYTES)

type PhotoUpload = Omit<typeof pops.addPhotos, 'path'> & { path: string }

/** Serves an endpoint that adds photos. */
export async function servePhotoUploads(app: App, endpoint: PhotoUpload): Promise<void> {
  await app.register(async (uploads) => uploadRoutes(uploads, endpoint))
}

function uploadRoutes(app: App, endpoint: PhotoUpload): void {
  const beginnings = new WeakMap<FastifyRequest, number>()
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = async function (request, reply) {
      beginnings.set(request, performance.now())
      if (!request.isMultipart()) return handler.call(this, request, reply)
      return uploading(Number(request.headers['content-length'] ?? UPLOADS_BYTES), async () => {
        // The client may have disconnected while it waited.
        if (request.raw.destroyed) throw new AppError('uploadUnfinished')
        endWhenSilent(request.raw)
        return handler.call(this, request, reply)
      })
    }
  })
  serve(app, endpoint, async ({ scope, body, files: { photos }, request }) => {
    if (photos.length === 0) throw new AppError('badInput', { fields: { photos: 'Choose at least one photo.' } })
    const end = performance.now()
    const receivingMs = end - (beginnings.get(request) ?? end)
    const received = { upload: body, files: photos, receivingMs }
    return { data: await addPhotos({ db: app.kernel.db, blobs: app.blobs }, scope, received) }
  })
}

/** Ends an incomplete request that sends nothing for a while, so that it frees its share for others. */
function endWhenSilent(request: IncomingMessage): void {
  let heard = -1
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    if (bytesRead === heard) request.destroy()
    heard = bytesRead
  }, SILENCE_MS)
  timer.unref()
  request.once('close', () => clearInterval(timer))
}
