import { createHash, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type ContentType, fileTypes, type pops, type ParamsOf } from '@roadshow/contract'
import sharp, { type OutputInfo } from 'sharp'
import { type BlobStore, refuseIfUndecodable, detectFileKind, openPicture, fileRefusal } from '../../platform/files/index.ts'
import { semaphore } from '../../platform/runtime/semaphore.ts'

export type PictureSize = ParamsOf<typeof pops.picture>['size']

/** The longest side of each size, in pixels: a thumbnail, a phone's screen, a large one. */
const longest: Record<PictureSize, number> = { small: 480, medium: 1200, large: 2400 }
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

// A decoded photo of 12 megapixels is 36 MB, and decoding one fills a core: two at a time, and one core is left to
// answer everybody else.
const decoding = semaphore(Math.max(1, Math.min(2, availableParallelism() - 1)))

const HEIC = ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']
const HEIC_REFUSED =
  'HEIC photos cannot be used. Choose “Most Compatible” under Settings, Camera, Formats on the iPhone, or export the photo as JPEG.'

/** Refuses what is no photo, by its bytes. */
export async function checkPhoto(content: Buffer): Promise<void> {
  const found = await detectFileKind(content)
  if (found && HEIC.includes(found.mime)) throw fileRefusal(HEIC_REFUSED)
  if (found && found.mime in fileTypes && !fileTypes[found.mime as ContentType].isVideo) return
  const why = found ? `${found.ext.toUpperCase()} files cannot be used.` : 'This is no picture.'
  throw fileRefusal(`${why} Please choose JPEG, PNG or WebP photos.`)
}

/** Writes a photo anew in its sizes: upright, without anything but its pixels. */
export const makePictures = (content: Buffer): Promise<Pictures> => decoding(1, () => refuseIfUndecodable(made(content)))

async function made(content: Buffer): Promise<Pictures> {
  const { large, medium, small } = longest
  // Decoded once; the smaller sizes are made of the large one's pixels.
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
  // One after the other: the queue counts one core for each photo.
  const [first, second, third] = [await webp(large), await webp(medium), await webp(small)]
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

/** The name that the pictures of a photo are kept under, which tells nothing and is not to be guessed. */
export const newPictureKey = (): string => randomBytes(16).toString('hex')

export const pictureBlob = (key: string, size: PictureSize): string => `pop-${key}-${size}`

export const writePictures = async (blobs: BlobStore, key: string, { contents }: Pictures): Promise<void> => {
  for (const size of sizeNames) await blobs.write(pictureBlob(key, size), contents[size], 'image/webp')
}

export const removePictures = async (blobs: BlobStore, key: string): Promise<void> =>
  void (await Promise.all(sizeNames.map((size) => blobs.remove(pictureBlob(key, size)))))
