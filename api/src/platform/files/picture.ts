import { MAX_PIXELS } from '@roadshow/contract'
import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { AppError } from '../runtime/app-error.ts'

// Decoded pictures are large; keeping them for a next time that never comes would only fill memory.
sharp.cache(false)

/** How many bytes tell what kind of file they begin. */
export const SIGNATURE_BYTES = 4100

export const fileRefusal = (text: string) => new AppError('fileRefused', { text })

/** What kind of file bytes are, whatever its name says. */
export const detectFileKind = async (content: Buffer): Promise<{ mime: string; ext: string } | undefined> =>
  fileTypeFromBuffer(content.subarray(0, SIGNATURE_BYTES)).catch(() => undefined)

/** A picture, as it is decoded everywhere: upright, within limits, and wholly or not at all. */
export const openPicture = (content: Buffer) =>
  sharp(content, { failOn: 'error', limitInputPixels: MAX_PIXELS }).autoOrient()

/** What decoding gives; what cannot be decoded is refused with a sentence. */
export async function refuseIfUndecodable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { message } = error as Error
    if (/exceeds pixel limit/i.test(message)) {
      throw fileRefusal(`The picture has more than ${MAX_PIXELS / 1_000_000} million pixels.`)
    }
    throw fileRefusal('The picture is damaged or cut off. Please export it again.')
  }
}

/** The camera data (EXIF) of a picture, if it has any. */
export async function readExifBlock(content: Buffer): Promise<Buffer | undefined> {
  const { exif } = await sharp(content).metadata()
  // In a JPEG these six bytes stand in front of it, in other files they do not.
  return exif?.subarray(0, 6).toString('latin1') === 'Exif\0\0' ? exif.subarray(6) : exif
}
