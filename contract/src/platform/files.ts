import { formatCount } from './figures.ts'
import { DAY_MS } from './durations.ts'
import * as z from './zod.ts'
import { instant, one, queryNumber, requiredLine, uid } from './common.ts'
import { endpoint } from './endpoint.ts'
import type { ModuleKey } from './permissions.ts'

export const filePurposes = ['logo', 'artwork', 'photo', 'issue'] as const
const filePurpose = z.enum(filePurposes, `Must be one of ${filePurposes.join(', ')}.`)
export type FilePurpose = z.infer<typeof filePurpose>

interface FileType {
  word: string
  extensions: readonly string[]
  isVideo: boolean
}

/** Every kind of file that is accepted. Nothing else is ever stored, and each is served as exactly its own type. */
export const fileTypes = {
  'image/jpeg': { word: 'JPEG', extensions: ['jpg', 'jpeg'], isVideo: false },
  'image/png': { word: 'PNG', extensions: ['png'], isVideo: false },
  'image/webp': { word: 'WebP', extensions: ['webp'], isVideo: false },
  'video/mp4': { word: 'MP4', extensions: ['mp4', 'm4v'], isVideo: true },
  'video/webm': { word: 'WebM', extensions: ['webm'], isVideo: true },
} as const satisfies Record<string, FileType>
export type ContentType = keyof typeof fileTypes

const contentTypes = Object.keys(fileTypes) as [ContentType, ...ContentType[]]
const images = contentTypes.filter((type) => !fileTypes[type].isVideo)

const MB = 1024 * 1024
const MAX_VIDEO = 500 * MB

/** For each purpose: accepted types, the largest picture, and the modules that may upload. */
export const uploadRules: Record<
  FilePurpose,
  { types: readonly ContentType[]; maxImage: number; modules: readonly ModuleKey[] }
> = {
  logo: { types: images, maxImage: 10 * MB, modules: ['clients'] },
  artwork: { types: contentTypes, maxImage: 50 * MB, modules: ['clients', 'programByClient'] },
  photo: { types: images, maxImage: 50 * MB, modules: ['pop', 'users'] },
  issue: { types: images, maxImage: 50 * MB, modules: ['overview', 'pop'] },
}

/** A picture with more pixels is refused, even if its file is small. */
export const MAX_PIXELS = 80_000_000

const joinWithOr = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** The accepted kinds in words: `JPEG, PNG or WebP`. */
export const acceptedTypesText = (purpose: FilePurpose): string =>
  joinWithOr(uploadRules[purpose].types.map((type) => fileTypes[type].word))

/** The extensions for a file input: `.jpg,.jpeg,.png`. */
export const acceptedExtensions = (purpose: FilePurpose): string =>
  uploadRules[purpose].types.flatMap((type) => fileTypes[type].extensions.map((end) => `.${end}`)).join(',')

const maxSize = (purpose: FilePurpose, type: ContentType) =>
  fileTypes[type].isVideo ? MAX_VIDEO : uploadRules[purpose].maxImage

const extensionOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The accepted content type of a file name, if there is one. */
export const contentTypeOfName = (name: string): ContentType | undefined =>
  contentTypes.find((type) => (fileTypes[type].extensions as readonly string[]).includes(extensionOf(name)))

/** The reason why a file cannot be uploaded, and its field. Browser and server use the same check. */
export function uploadProblem(
  purpose: FilePurpose,
  { name, contentType, size }: { name: string; contentType: string; size: number },
): { field: 'name' | 'contentType' | 'size'; text: string } | undefined {
  const accepted = `Please choose a ${acceptedTypesText(purpose)} file.`
  const type = uploadRules[purpose].types.find((each) => each === contentType)
  if (!type) return { field: 'contentType', text: accepted }
  if (contentTypeOfName(name) !== type) {
    return {
      field: 'name',
      text: `A ${fileTypes[type].word} file ends in ${joinWithOr(fileTypes[type].extensions.map((end) => `.${end}`))}. ${accepted}`,
    }
  }
  const max = maxSize(purpose, type)
  if (size <= max) return undefined
  return {
    field: 'size',
    text: `A ${fileTypes[type].word} file can have at most ${max / MB} MB. This file has ${formatCount(Math.ceil(size / MB))} MB.`,
  }
}

/** A stored file as records show it. Its URLs are signed and expire; loading the record again gives new ones. */
export const fileRef = z.strictObject({
  uid,
  url: z.string(),
  thumbnailUrl: z.string().nullable(),
  name: z.string(),
  contentType: z.enum(contentTypes),
  size: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationMs: z.int().nullable(),
  sha256: z.string(),
})
export type FileRef = z.infer<typeof fileRef>

/** A file in the input of a record. While an upload runs, the form has no file, and this sentence appears. */
export const fileUid = z.uuid('The upload is not finished.')

const pixels = z.int('Must be a whole number.').min(1, 'Must be at least 1.').max(1_000_000, 'Must be at most 1000000.')
const durationMs = z.int('Must be a whole number.').min(0, 'Must be at least 0.').max(DAY_MS, 'At most a day.')

const uploadTarget = z.strictObject({
  fileUid: uid,
  url: z.string(),
  method: z.literal('PUT'),
  /**
   * How the bytes are sent. `ranges`: parts in order, each with `&offset=`; a GET of the same address answers how much
   * has arrived. `blocks`: Azure's `comp=block` for each part, then `comp=blocklist`.
   */
  protocol: z.enum(['ranges', 'blocks']),
  headers: z.record(z.string(), z.string()),
  expiresAt: instant,
})
export type UploadTarget = z.infer<typeof uploadTarget>

const received = one(z.strictObject({ received: z.int(), size: z.int() }))

const signed = {
  /** Seconds since 1970. */
  expires: z
    .string()
    .regex(/^\d{1,12}$/, 'Must be a number of seconds.')
    .transform(Number),
  signature: z.string().max(100),
}
const blobParams = z.strictObject({ name: z.string().regex(/^[\w-]{1,80}$/) })
const blobQuery = { ...signed, size: queryNumber(1, 999_999_999) }

const edit = { module: ['clients', 'pop', 'users', 'overview', 'programByClient'], needs: 'edit' } as const

// Answers with the file itself instead of JSON.
const content = z.unknown()
const linked = z.strictObject({ expires: signed.expires.optional(), signature: signed.signature.optional() })

export const files = {
  getUploadSas: endpoint({
    method: 'POST',
    path: 'blob-storage/get-upload-sas',
    rate: 'upload',
    access: edit,
    ownRows: 'account',
    summary: 'Announces a file and answers where the browser may send it: one file, one method, expiring.',
    body: z.strictObject({
      purpose: filePurpose,
      name: requiredLine(200),
      contentType: requiredLine(100),
      size: z.int('Must be a whole number.').min(1, 'The file is empty.'),
      width: pixels.optional(),
      height: pixels.optional(),
      durationMs: durationMs.optional(),
    }),
    reply: one(uploadTarget),
  }),
  deleteBlob: endpoint({
    method: 'POST',
    path: 'blob-storage/delete-blob',
    rate: 'upload',
    access: edit,
    ownRows: 'account',
    summary: 'Deletes a file that no record uses.',
    body: z.strictObject({ fileUid: uid }),
    reply: one(z.strictObject({ fileUid: uid })),
  }),
  complete: endpoint({
    method: 'POST',
    path: 'blob-storage/complete',
    rate: 'upload',
    access: edit,
    ownRows: 'account',
    summary: 'Verifies an uploaded file: length, type, content and hash. A file that fails is deleted.',
    added: true,
    repeatable: true,
    body: z.strictObject({
      fileUid: uid,
      /** A frame of a video as a JPEG in base64, made by the browser. */
      frame: z
        .string()
        .max(700_000, 'The frame is too large.')
        .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Not base64.')
        .optional(),
    }),
    reply: one(fileRef),
  }),
  putBlob: endpoint({
    method: 'PUT',
    path: 'blob-storage/blobs/{name}',
    rate: 'upload',
    access: 'public',
    summary: 'Takes a part of an announced file, as raw bytes. The signature in the address is the permission.',
    added: true,
    params: blobParams,
    query: z.strictObject({ ...blobQuery, offset: queryNumber(0, 999_999_999).prefault('0') }),
    reply: received,
  }),
  received: endpoint({
    method: 'GET',
    path: 'blob-storage/blobs/{name}',
    rate: 'upload',
    access: 'public',
    summary: 'How much of an announced file has arrived, so that an interrupted upload can continue.',
    added: true,
    params: blobParams,
    query: z.strictObject(blobQuery),
    reply: received,
  }),
  read: endpoint({
    method: 'GET',
    path: 'files/{uid}',
    rate: 'picture',
    access: 'public',
    summary: 'A stored file, whole or by range, for holders of its signed URL and for signed-in users who may see it.',
    added: true,
    params: z.strictObject({ uid }),
    query: linked,
    reply: content,
  }),
  thumbnail: endpoint({
    method: 'GET',
    path: 'files/{uid}/thumbnail',
    rate: 'picture',
    access: 'public',
    summary: 'A small picture of a stored file, on the same terms.',
    added: true,
    params: z.strictObject({ uid }),
    query: linked,
    reply: content,
  }),
}
