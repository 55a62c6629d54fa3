import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type ContentType, fileTypes } from '@roadshow/contract'
import exifr from 'exifr'
import {
  readExifBlock,
  refuseIfUndecodable,
  detectFileKind,
  SIGNATURE_BYTES,
  openPicture,
  fileRefusal,
} from './picture.ts'
import type { BlobStore } from './store.ts'
import { readMp4, readWebm } from './video.ts'

const THUMBNAIL = 480

/** Facts about a file that the server read from its content. */
export interface FileFacts {
  sha256: string
  width: number | null
  height: number | null
  durationMs: number | null
  measuredBy: 'server' | 'browser'
  /** A small WebP picture, if one could be made. */
  thumbnail: Buffer | undefined
}

/** Facts that the browser declared when it announced the file, and a frame of a video. */
type DeclaredFile = Pick<FileFacts, 'width' | 'height' | 'durationMs'> & { frame: Buffer | undefined }

interface Inspection {
  store: BlobStore
  blob: string
  type: ContentType
  size: number
  declared: DeclaredFile
}

const withArticle = (kind: string) => `${/^[AEIMX]/.test(kind) ? 'an' : 'a'} ${kind}`

/** Refuses content whose kind differs from the announced one. */
async function checkKind(head: Buffer, announced: ContentType): Promise<void> {
  const found = await detectFileKind(head)
  const mime: string | undefined = found?.mime === 'video/x-m4v' ? 'video/mp4' : found?.mime
  if (mime === announced) return
  const actual = found ? `It is ${withArticle(found.ext.toUpperCase())} file` : 'Its kind is not accepted'
  throw fileRefusal(`This is not ${withArticle(fileTypes[announced].word)} file. ${actual}, whatever its name says.`)
}

const thumbnailOf = (content: Buffer) =>
  refuseIfUndecodable(
    openPicture(content)
      .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer(),
  )

// The file is stored unchanged, so damaged EXIF data that other programs cannot read is refused.
async function checkExif(content: Buffer): Promise<void> {
  const tiff = await readExifBlock(content)
  if (!tiff) return
  const found: { errors?: unknown } | undefined = await exifr.parse(tiff).catch((error: unknown) => ({ errors: error }))
  if (found?.errors)
    throw fileRefusal('The camera data (EXIF) in this picture is damaged. Please export it again without camera data.')
}

const pictureFacts = ({ width, height }: { width: number; height: number }, thumbnail: Buffer) => ({
  width,
  height,
  durationMs: null,
  measuredBy: 'server' as const,
  thumbnail,
})

async function inspectImage(content: Buffer) {
  const { autoOrient } = await refuseIfUndecodable(openPicture(content).metadata())
  // Making the thumbnail decodes every line, which finds pictures that are cut off.
  const thumbnail = await thumbnailOf(content)
  await checkExif(content)
  return pictureFacts(autoOrient, thumbnail)
}

async function inspectVideo({ store, blob, type, size, declared }: Inspection) {
  const readAt = async (start: number, length: number) =>
    start >= size ? Buffer.alloc(0) : buffer(await store.read(blob, { start, end: Math.min(start + length, size) - 1 }))
  const facts = await (type === 'video/webm' ? readWebm : readMp4)(readAt, size)
  const isMeasured = facts.width !== undefined && facts.durationMs !== undefined
  return {
    width: facts.width ?? declared.width,
    height: facts.height ?? declared.height,
    durationMs: facts.durationMs ?? declared.durationMs,
    measuredBy: isMeasured ? ('server' as const) : ('browser' as const),
    // The thumbnail is optional: an unreadable frame leaves the video without one.
    thumbnail: declared.frame && (await thumbnailOf(declared.frame).catch(() => undefined)),
  }
}

/** Reads a blob once, for its hash and, if it is a picture, its content. A video is never held in memory as a whole. */
async function readThrough(store: BlobStore, blob: string, type: ContentType) {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let length = 0
  let isChecked = false
  const { isVideo } = fileTypes[type]
  for await (const chunk of (await store.read(blob)) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    length += chunk.length
    if (!isVideo || !isChecked) kept.push(chunk)
    if (!isChecked && length >= SIGNATURE_BYTES) {
      await checkKind(Buffer.concat(kept), type)
      isChecked = true
    }
  }
  const content = Buffer.concat(kept)
  if (!isChecked) await checkKind(content, type)
  return { sha256: hash.digest('hex'), content: isVideo ? undefined : content }
}

/** Reads the facts of a stored blob. Content that cannot be decoded, or is of another kind than announced, is refused. */
export async function inspectFile(inspection: Inspection): Promise<FileFacts> {
  const { store, blob, type } = inspection
  const { sha256, content } = await readThrough(store, blob, type)
  return { sha256, ...(content ? await inspectImage(content) : await inspectVideo(inspection)) }
}

/** Re-encodes a picture: turned upright, and reduced to its pixels. */
export async function reencodePicture(content: Buffer, type: ContentType) {
  await checkKind(content.subarray(0, SIGNATURE_BYTES), type)
  const format = type === 'image/png' ? 'png' : type === 'image/webp' ? 'webp' : 'jpeg'
  const { data, info } = await refuseIfUndecodable(
    openPicture(content).toFormat(format, { quality: 88 }).toBuffer({ resolveWithObject: true }),
  )
  const sha256 = createHash('sha256').update(data).digest('hex')
  return { content: data, facts: { sha256, ...pictureFacts(info, await thumbnailOf(data)) } }
}
