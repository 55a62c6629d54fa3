import type { Readable } from 'node:stream'
import { type FileRef, files, fileTypes } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { AppContext } from '../context.ts'
import { isApiKey } from '../http/api-key-token.ts'
import type { App } from '../http/app.ts'
import type { Download } from '../http/download.ts'
import { type Call, serve } from '../http/serve.ts'
import { bearerOf } from '../http/session.ts'
import { isLocalStore, type LocalStore, USED_LINK } from './local-store.ts'
import {
  deleteUnclaimedFile,
  discardRefusedFile,
  fileUidOfIncoming,
  isAwaitingUpload,
  getReachableFile,
  getStoredFile,
} from './queries.ts'
import { isValidSignedUrl } from './reference.ts'
import { sendBlob } from './send.ts'
import type { BlobStore } from './store.ts'
import { announceUpload, completeUpload } from './uploads.ts'

/** Serves uploads and files, and registers the store for the other modules. */
export async function fileRoutes(app: App, { blobs: store }: AppContext): Promise<void> {
  app.decorate('blobs', store)

  serve(app, files.getUploadSas, async ({ db, scope, body }) => ({
    data: await announceUpload(db, store, scope, body),
  }))

  serve(app, files.deleteBlob, async ({ db, scope, body: { fileUid } }) => {
    await deleteUnclaimedFile(db, store, scope, fileUid)
    return { data: { fileUid } }
  })

  serve(app, files.complete, async ({ db, scope, body: { fileUid, frame } }) => ({
    data: await completeUpload(db, store, scope, { fileUid, frame: frame ? Buffer.from(frame, 'base64') : undefined }),
  }))

  serve(app, files.read, (call) => sendStored(app, call, 'file'))
  serve(app, files.thumbnail, (call) => sendStored(app, call, 'thumbnail'))

  await app.register(async (raw) => blobRoutes(raw, store))
}

/** Serves the upload targets of the local store. */
function blobRoutes(app: App, store: BlobStore): void {
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))

  async function admit(name: string, query: Parameters<LocalStore['admit']>[1]): Promise<LocalStore> {
    const uid = fileUidOfIncoming(name)
    if (!isLocalStore(store) || !uid) throw new AppError('uploadLink')
    await store.admit(name, query)
    if (!(await isAwaitingUpload(app.kernel.db, uid))) throw new AppError('uploadLink', { text: USED_LINK })
    return store
  }

  serve(app, files.putBlob, async ({ db, params: { name }, query, request }) => {
    const local = await admit(name, query)
    const { size, offset } = query
    const content = request.body as Readable | undefined
    if (!content) throw new AppError('wrongMediaType')
    try {
      // Checked before a byte is read, so that the sender still receives the answer.
      if (offset + Number(request.headers['content-length'] ?? 0) > size) {
        throw new AppError('tooLarge', { text: 'The file is larger than announced.' })
      }
      return { data: { received: await local.append(name, { offset, content, size }), size } }
    } catch (error) {
      const uid = fileUidOfIncoming(name)
      if (uid && error instanceof AppError && error.code === 'tooLarge') await discardRefusedFile(db, store, uid)
      throw error
    }
  })

  serve(app, files.received, async ({ params: { name }, query }) => {
    const local = await admit(name, query)
    return { data: { received: await local.received(name), size: query.size } }
  })
}

const CACHE_SECONDS = 3600

type FileCall = Call<typeof files.read>

/** Finds a file for callers with a signed URL, or with a session that may see the file. */
async function openStored(app: App, { db, params: { uid }, query, request }: FileCall, path: string) {
  const { expires, signature } = query
  if (signature !== undefined && expires !== undefined) {
    if (!isValidSignedUrl(path, expires, signature)) throw new AppError('fileLink')
    return getStoredFile(db, uid)
  }
  const token = bearerOf(request)
  if (token && isApiKey(token)) throw new AppError('keyRefused', { text: 'API keys open files by their signed links.' })
  const actor = token && (await app.kernel.readSession(token))
  if (!actor) throw new AppError('signedOut')
  return getReachableFile(db, { actor: { ...actor, address: request.ip } }, uid)
}

async function sendStored(app: App, call: FileCall, what: 'file' | 'thumbnail'): Promise<Download> {
  const isFile = what === 'file'
  const { uid } = call.params
  const row = await openStored(app, call, isFile ? `files/${uid}` : `files/${uid}/thumbnail`)
  const { range } = call.request.headers
  const blob = isFile ? row.blob_name : row.thumbnail_blob
  if (blob === null) throw new AppError('notFound')
  // Only accepted kinds are ever sent, whatever the row says.
  const type = isFile && row.content_type in fileTypes ? (row.content_type as FileRef['contentType']) : 'image/webp'
  const size = isFile ? { size: row.size_bytes } : {}
  return sendBlob(app.blobs, blob, { name: row.original_name, type, ...size, range, cacheSeconds: CACHE_SECONDS })
}
