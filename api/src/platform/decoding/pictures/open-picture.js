// Pictures as tasks of a decoder open them. No other process loads sharp.
import exifr from 'exifr'
import sharp from 'sharp'
import { isOutOfMemory, Refusal } from '../refusal.js'
import { pictureProblem } from './picture-rules.js'

/** @typedef {import('../task-file.ts').TaskFile} TaskFile */

// Decoded pictures are large and rarely decoded twice, so caching them would only fill memory.
sharp.cache(false)
sharp.concurrency(1)
// Nothing else is accepted, whatever a file claims to be. SVG is drawn by the product itself.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadSvg'],
})

const DAMAGED = 'This picture is damaged or incomplete. Please export it again.'

/**
 * Awaits the decoding of a picture; refuses the file if that fails.
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function refuseIfUndecodable(work) {
  try {
    return await work
  } catch (error) {
    throw isOutOfMemory(error) ? error : new Refusal(DAMAGED)
  }
}

/**
 * Opens a picture for decoding: turned upright, and failing if it is damaged. `loadPicture` checks its size.
 * @param {Buffer} content
 */
export const openPicture = (content) => sharp(content, { failOn: 'error', limitInputPixels: false }).autoOrient()

/**
 * Reads a picture whose header promises that it can be decoded within the limits.
 * @param {TaskFile} file
 * @param {{ isEncoded?: boolean }} [options] whether it is encoded again in its own size
 */
export async function loadPicture(file, { isEncoded = false } = {}) {
  if (file.size > file.limits.heldBytes) throw new Refusal('This picture has too many bytes. Please make it smaller.')
  const content = await file.whole()
  const metadata = await refuseIfUndecodable(openPicture(content).metadata())
  const { heldBytes } = file.limits
  const problem = pictureProblem({ ...metadata, bytes: content.length }, { heldBytes, isEncoded })
  if (problem) throw new Refusal(problem)
  return { content, metadata }
}

const EXIF_MARK = 'Exif\0\0'

/**
 * Camera data (EXIF) of a picture, if it has any; `errors` if it is damaged.
 * @param {Buffer | undefined} exif as libvips finds it
 * @param {object} [options]
 * @returns {Promise<Record<string, unknown> | undefined>}
 */
export async function readExif(exif, options) {
  if (!exif) return undefined
  // Only JPEG files put these six bytes in front of it.
  const isMarked = exif.subarray(0, EXIF_MARK.length).toString('latin1') === EXIF_MARK
  try {
    return await exifr.parse(isMarked ? exif.subarray(EXIF_MARK.length) : exif, options)
  } catch (error) {
    return { errors: error }
  }
}
