import { createHash } from 'node:crypto'
import { type ContentType, fileTypes } from '@roadshow/contract'
import { pictureTask } from '../decoding/pictures/pictures.ts'
import { type FileSource, sourceOf } from '../decoding/task-file.ts'
import { videoTask } from '../decoding/videos/videos.ts'
import { hashedSource } from './blob-source.ts'
import type { BlobStore } from './store.ts'

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

const pictureFacts = ({ width, height, thumbnail }: { width: number; height: number; thumbnail: Buffer }) => ({
  width,
  height,
  durationMs: null,
  measuredBy: 'server' as const,
  thumbnail,
})

/** The thumbnail is optional: a frame that cannot be read leaves the video without one. */
const thumbnailOf = (frame: Buffer) => pictureTask('makeThumbnail', {}, sourceOf(frame)).catch(() => undefined)

async function inspectVideo({ type, declared }: Inspection, source: FileSource) {
  const facts = await videoTask('inspectVideo', { type }, source)
  const isMeasured = facts.width !== undefined && facts.durationMs !== undefined
  return {
    width: facts.width ?? declared.width,
    height: facts.height ?? declared.height,
    durationMs: facts.durationMs ?? declared.durationMs,
    measuredBy: isMeasured ? ('server' as const) : ('browser' as const),
    thumbnail: declared.frame && (await thumbnailOf(declared.frame)),
  }
}

/** Reads the facts of a stored blob. Content that cannot be decoded, or is of another kind than announced, is refused. */
export async function inspectFile(inspection: Inspection): Promise<FileFacts> {
  const { store, blob, type, size } = inspection
  const source = hashedSource(store, blob, size)
  const facts = fileTypes[type].isVideo
    ? await inspectVideo(inspection, source)
    : pictureFacts(await pictureTask('inspectPicture', { type }, source))
  return { sha256: await source.sha256(), ...facts }
}

/** Re-encodes a picture: turned upright, and reduced to its pixels. */
export async function reencodePicture(source: FileSource, type: ContentType) {
  const { content, ...picture } = await pictureTask('reencodePicture', { type }, source)
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { content, facts: { sha256, ...pictureFacts(picture) } }
}
