import type { driverApp, DriverDay } from '@roadshow/contract/live/driver-app'
import type { FileRef, files, UploadTarget } from '@roadshow/contract/platform/files'
import type { photoCalls } from '@roadshow/contract/proof/photos'
import { ApiError, call, endpointWithoutSchemas } from '../../api/call.ts'
import type { FirstCall } from '../early/first-call.ts'
import type { Transport } from './sending.ts'

// Written out instead of imported: the schemas of the contract weigh more than this whole app.
const dayCall = endpointWithoutSchemas<typeof driverApp.day>({ method: 'GET', path: 'driver-app/day' })
const actsCall = endpointWithoutSchemas<typeof driverApp.acts>({ method: 'POST', path: 'driver-app/acts' })
const addPhotos = endpointWithoutSchemas<typeof photoCalls.addPhotos>({
  method: 'POST',
  path: 'client-pop/',
  files: {},
})
const announce = endpointWithoutSchemas<typeof files.getUploadSas>({
  method: 'POST',
  path: 'blob-storage/get-upload-sas',
})
const complete = endpointWithoutSchemas<typeof files.complete>({
  method: 'POST',
  path: 'blob-storage/complete',
})

/** A connection that hangs is given up: what was sent counts once, however often it is sent. */
const once = (seconds: number) =>
  ({ isOnce: true, staysOnPage: true, signal: AbortSignal.timeout(seconds * 1000) }) as const

const CALL_SECONDS = 30
const PICTURE_SECONDS = 300

/** The day of the user whose token this browser holds, by a call that is under way already or by a new one. */
export async function fetchDay(made?: FirstCall): Promise<DriverDay> {
  return (await call(dayCall, {}, { ...once(CALL_SECONDS), ...(made && { by: () => made.response }) })).data
}

const PART = 1024 * 1024

async function put(url: string, body: Blob, headers: Record<string, string>): Promise<void> {
  const signal = AbortSignal.timeout(PICTURE_SECONDS * 1000)
  const response = await fetch(url, { method: 'PUT', headers, body, signal }).catch(() => undefined)
  if (!response?.ok) throw new ApiError(response?.status === 401 ? 500 : (response?.status ?? 0), undefined)
}

/** Sends a picture to where the server said, in parts. A picture that broke off is announced and sent again. */
async function sendParts(picture: Blob, { url, headers, protocol }: UploadTarget): Promise<void> {
  const blocks: string[] = []
  for (let offset = 0; offset < picture.size; offset += PART) {
    const id = btoa(String(blocks.length).padStart(6, '0'))
    const place = protocol === 'blocks' ? `comp=block&blockid=${encodeURIComponent(id)}` : `offset=${offset}`
    await put(`${url}&${place}`, picture.slice(offset, offset + PART), headers)
    blocks.push(id)
  }
  if (protocol !== 'blocks') return
  const list = blocks.map((id) => `<Latest>${id}</Latest>`).join('')
  const xml = `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`
  await put(`${url}&comp=blocklist`, new Blob([xml], { type: 'application/xml' }), headers)
}

async function upload(picture: Blob): Promise<string> {
  const contentType = picture.type || 'image/jpeg'
  const name = `picture.${contentType.split('/')[1]?.replace('jpeg', 'jpg')}`
  const body = { purpose: 'issue' as const, name, contentType, size: picture.size }
  const { data: target } = await call(announce, { body }, once(CALL_SECONDS))
  await sendParts(picture, target)
  const { data } = await call(complete, { body: { fileUid: target.fileUid } }, once(PICTURE_SECONDS))
  return (data satisfies FileRef).uid
}

/** The server as the queue needs it. */
export const transport: Transport = {
  async sendActs(acts) {
    const body = { sentAt: new Date().toISOString(), acts }
    return (await call(actsCall, { body }, once(CALL_SECONDS))).data.results
  },
  upload,
  async sendPhoto({ id, takenAt, place, about, caption, side }, picture) {
    const phone = takenAt !== null && {
      takenAt: new Date(takenAt).toISOString(),
      sentAt: new Date().toISOString(),
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      accuracyM: place?.accuracyM ?? null,
    }
    const body = { shiftUid: about.shiftUid, caption, ...(phone && { phone }), ...(side && { side }) }
    const extension = picture.type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'jpg'
    const photos = [new File([picture], `${id}.${extension}`, { type: picture.type })]
    const { data } = await call(addPhotos, { body, files: { photos } }, once(PICTURE_SECONDS))
    const [added] = data
    return added?.outcome === 'refused' ? { reason: added.error ?? '', code: added.code } : undefined
  },
}
