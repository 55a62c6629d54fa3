import { createHash } from 'node:crypto'
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
import { UnreadableVideo, readMp4, readWebm, type VideoFacts } from './video.ts'

const THUMBNAIL = 480

/** What the server found out about a file by looking into it. */
export interface FileFacts {
  sha256: string
  width: number | null
  height: number | null
  durationMs: number | null
  measuredBy: 'server' | 'browser'
  /** A small WebP picture of it, where one could be made. */
  thumbnail: Buffer | undefined
}

/** What the browser said when it announced the file. */
export interface DeclaredFile {
  width: number | null
  height: number | null
  durationMs: number | null
  /** A frame of a video. */
  frame: Buffer | undefined
}

/** Refuses bytes that are not what their name says. */
async function checkKind(head: Buffer, announced: ContentType): Promise<void> {
  const found = await detectFileKind(head)
  const mime: string | undefined = found?.mime === 'video/x-m4v' ? 'video/mp4' : found?.mime
  if (mime === announced) return
  const is = found ? `but a ${found.ext.toUpperCase()} file` : 'nor any other kind that is accepted'
  throw fileRefusal(`This is no ${fileTypes[announced].word} file, ${is}. Its name does not change what is inside.`)
}

const thumbnailOf = (content: Buffer) =>
  refuseIfUndecodable(
    openPicture(content)
      .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer(),
  )

// The file is kept as it is, so what other programs would stumble over is refused.
async function checkExif(content: Buffer): Promise<void> {
  const tiff = await readExifBlock(content)
  if (!tiff) return
  const found: { errors?: unknown } | undefined = await exifr.parse(tiff).catch((error: unknown) => ({ errors: error }))
  if (found?.errors)
    throw fileRefusal('The camera data (EXIF) in the picture is damaged. Please export it again without it.')
}

async function inspectImage(content: Buffer) {
  const { autoOrient } = await refuseIfUndecodable(openPicture(content).metadata())
  // Making the thumbnail decodes every line, so a picture that is cut off is found here.
  const thumbnail = await thumbnailOf(content)
  await checkExif(content)
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    durationMs: null,
    measuredBy: 'server' as const,
    thumbnail,
  }
}

async function inspectVideo(store: BlobStore, blob: string, type: ContentType, size: number, told: DeclaredFile) {
  const readAt = async (start: number, length: number) =>
    start >= size ? Buffer.alloc(0) : gather(await store.read(blob, { start, end: Math.min(start + length, size) - 1 }))
  let facts: VideoFacts
  try {
    facts = await (type === 'video/webm' ? readWebm : readMp4)(readAt, size)
  } catch (error) {
    throw error instanceof UnreadableVideo ? fileRefusal(error.message) : error
  }
  const isMeasured = facts.width !== undefined && facts.durationMs !== undefined
  return {
    width: facts.width ?? told.width,
    height: facts.height ?? told.height,
    durationMs: facts.durationMs ?? told.durationMs,
    measuredBy: isMeasured ? ('server' as const) : ('browser' as const),
    // Only a help for the eye: a frame that is none leaves the video without a small picture.
    thumbnail: told.frame && (await thumbnailOf(told.frame).catch(() => undefined)),
  }
}

async function gather(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads a blob once: its hash, and the whole of it where it is a picture. A video is never in memory as a whole. */
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

/** Looks into a stored blob. What is not what it was announced as, or cannot be decoded, is refused with a sentence. */
export async function inspectFile(
  store: BlobStore,
  blob: string,
  type: ContentType,
  size: number,
  told: DeclaredFile,
): Promise<FileFacts> {
  const { sha256, content } = await readThrough(store, blob, type)
  return { sha256, ...(content ? await inspectImage(content) : await inspectVideo(store, blob, type, size, told)) }
}

/** A picture written anew: turned upright, without anything but its pixels. */
export async function reencodePicture(
  content: Buffer,
  type: ContentType,
): Promise<{ content: Buffer; facts: FileFacts }> {
  await checkKind(content.subarray(0, SIGNATURE_BYTES), type)
  const format = type === 'image/png' ? 'png' : type === 'image/webp' ? 'webp' : 'jpeg'
  const { data, info } = await refuseIfUndecodable(
    openPicture(content).toFormat(format, { quality: 88 }).toBuffer({ resolveWithObject: true }),
  )
  const sha256 = createHash('sha256').update(data).digest('hex')
  const facts: FileFacts = {
    sha256,
    width: info.width,
    height: info.height,
    durationMs: null,
    measuredBy: 'server',
    thumbnail: await thumbnailOf(data),
  }
  return { content: data, facts }
}
