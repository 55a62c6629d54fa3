import { MAX_PIXELS } from '@roadshow/contract'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { AppError } from '../runtime/app-error.ts'

// Decoded pictures are large and rarely decoded twice, so caching them would only fill memory.
sharp.cache(false)

/** How many leading bytes identify the kind of a file. */
export const SIGNATURE_BYTES = 4100

export const fileRefusal = (text: string) => new AppError('fileRefused', { text })

/** The kind of a file by its content, whatever its name says. */
export const detectFileKind = async (content: Buffer): Promise<{ mime: string; ext: string } | undefined> =>
  fileTypeFromBuffer(content.subarray(0, SIGNATURE_BYTES)).catch(() => undefined)

/** Opens a picture for decoding: turned upright, with limited pixels, and failing if it is damaged. */
export const openPicture = (content: Buffer) =>
  sharp(content, { failOn: 'error', limitInputPixels: MAX_PIXELS }).autoOrient()

/** Awaits the decoding of a picture; refuses the file if that fails. */
export async function refuseIfUndecodable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { message } = error as Error
    if (/exceeds pixel limit/i.test(message)) {
      throw fileRefusal(`This picture has more than ${MAX_PIXELS / 1_000_000} million pixels. Please make it smaller.`)
    }
    throw fileRefusal('This picture is damaged or incomplete. Please export it again.')
  }
}

/** The camera data (EXIF) of a picture, if any. */
export async function readExifBlock(content: Buffer): Promise<Buffer | undefined> {
  const { exif } = await sharp(content).metadata()
  // Only JPEG files put these six bytes in front of it.
  return exif?.subarray(0, 6).toString('latin1') === 'Exif\0\0' ? exif.subarray(6) : exif
}
