import { createHash, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type ContentType, fileTypes, type pops, type ParamsOf } from '@roadshow/contract'
import sharp, { type OutputInfo } from 'sharp'
import {
  type BlobStore,
  refuseIfUndecodable,
  detectFileKind,
  openPicture,
  fileRefusal,
} from '../../platform/files/index.ts'
import { semaphore } from '../../platform/runtime/semaphore.ts'

export type PictureSize = ParamsOf<typeof pops.picture>['size']

/** The longest side of each size, in pixels: a thumbnail, a phone's screen, a large one. */
const longestSide: Record<PictureSize, number> = { small: 480, medium: 1200, large: 2400 }
const sizeNames = ['large', 'medium', 'small'] as const satisfies readonly PictureSize[]
const BLUR = 24

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

// A decoded photo of 12 megapixels takes 36 MB and a core: at most two at a time, and one core stays free for requests.
const decoding = semaphore(Math.max(1, Math.min(2, availableParallelism() - 1)))

const HEIC = ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']
const HEIC_REFUSED =
  'HEIC photos are not supported. On the iPhone, choose Settings > Camera > Formats > Most Compatible, or export the photo as JPEG.'

/** Refuses files whose bytes are not a supported photo. */
export async function checkPhoto(content: Buffer): Promise<void> {
  const found = await detectFileKind(content)
  if (found && HEIC.includes(found.mime)) throw fileRefusal(HEIC_REFUSED)
  if (found && found.mime in fileTypes && !fileTypes[found.mime as ContentType].isVideo) return
  const why = found ? `${found.ext.toUpperCase()} files are not supported.` : 'This file is not a picture.'
  throw fileRefusal(`${why} Choose JPEG, PNG or WebP photos.`)
}

/** Makes the sizes of a photo: upright, and without metadata. */
export const makePictures = (content: Buffer): Promise<Pictures> =>
  decoding(1, () => refuseIfUndecodable(encodeSizes(content)))

async function encodeSizes(content: Buffer): Promise<Pictures> {
  const { large, medium, small } = longestSide
  // Decodes once; the smaller sizes are made from the pixels of the large one.
  const { data, info } = await openPicture(content)
    .flatten({ background: '#fff' })
    .resize(large, large, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } }
  const inside = (side: number) => sharp(data, pixels).resize(side, side, { fit: 'inside', withoutEnlargement: true })
  const webp = (side: number) => inside(side).webp({ quality: 80, effort: 2 }).toBuffer({ resolveWithObject: true })
  const blur = await inside(BLUR).webp({ quality: 30 }).toBuffer()
  // One after the other, because the semaphore counts one core for each photo. A small photo is not enlarged, so its
  // sizes are the same file.
  const longest = Math.max(info.width, info.height)
  const first = await webp(large)
  const second = longest <= medium ? first : await webp(medium)
  const third = longest <= small ? second : await webp(small)
  return {
    sizes: { small: factsOf(third), medium: factsOf(second), large: factsOf(first) },
    contents: { small: third.data, medium: second.data, large: first.data },
    blur: `data:image/webp;base64,${blur.toString('base64')}`,
  }
}

const factsOf = ({ data, info }: { data: Buffer; info: OutputInfo }): PictureFacts => ({
  width: info.width,
  height: info.height,
  bytes: data.length,
  sha256: createHash('sha256').update(data).digest('hex'),
})

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
