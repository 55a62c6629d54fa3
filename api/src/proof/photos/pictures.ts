import { randomBytes } from 'node:crypto'
import type { pops, ParamsOf } from '@roadshow/contract'
import { decoderTasks } from '../../platform/decoding/decoder.ts'
import { sourceOf } from '../../platform/decoding/task-file.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import type * as tasks from './photo-tasks.js'

export type PictureSize = ParamsOf<typeof pops.picture>['size']

const sizeNames = ['large', 'medium', 'small'] as const satisfies readonly PictureSize[]

export interface PictureFacts {
  width: number
  height: number
  bytes: number
  sha256: string
}

export interface Pictures {
  sizes: Record<PictureSize, PictureFacts>
  contents: Record<PictureSize, Buffer>
  blur: string
}

const photoTask = decoderTasks<typeof tasks>(new URL('./photo-tasks.js', import.meta.url))

/** The camera data of a photo as its file has it. A file whose bytes are not a supported photo is refused. */
export const inspectPhoto = (content: Buffer) => photoTask('inspectPhoto', {}, sourceOf(content))

/** Makes the sizes of a photo: upright, and without metadata. */
export const makePictures = (content: Buffer): Promise<Pictures> => photoTask('makePictures', {}, sourceOf(content))

/** A random name for the pictures of a photo, which cannot be guessed. */
export const newPictureKey = (): string => randomBytes(16).toString('hex')

export const pictureBlob = (key: string, size: PictureSize): string => `pop-${key}-${size}`

/** Stores all sizes of a photo, or none. */
export async function writePictures(blobs: BlobStore, key: string, { contents }: Pictures): Promise<void> {
  try {
    for (const size of sizeNames) await blobs.write(pictureBlob(key, size), contents[size], 'image/webp')
  } catch (error) {
    await removePictures(blobs, key)
    throw error
  }
}

export const removePictures = async (blobs: BlobStore, key: string): Promise<void> =>
  void (await Promise.all(sizeNames.map((size) => blobs.remove(pictureBlob(key, size)))))
