/** A picture with more pixels is refused, even if its file is small. */
const MAX_PIXELS = 80_000_000
/** A line is decoded as a whole. */
const MAX_SIDE = 30_000
/** Lines that libvips holds while it makes a picture smaller. */
const LINES_HELD = 2000

/** Bytes that an encoder holds of each pixel; others write line by line. */
const ENCODER_BYTES = { webp: 13, webpWithAlpha: 24 }

/**
 * What the header of a picture says.
 * @typedef {Pick<import('sharp').Metadata, 'format' | 'width' | 'height' | 'channels' | 'depth' | 'orientation'>
 *   & Pick<import('sharp').Metadata, 'isProgressive' | 'hasAlpha' | 'chromaSubsampling'> & { bytes: number }} PictureHeader
 */

const MB = 1024 * 1024
const inMegabytes = (/** @type {number} */ bytes) => `${Math.ceil(bytes / MB).toLocaleString('en-US')} MB`
const inPixels = (/** @type {number} */ side) => side.toLocaleString('en-US')
const bytesOfSample = (/** @type {PictureHeader} */ { depth }) => (depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4)

/**
 * Bytes that are held at once while a picture is decoded. Interlaced and progressive ones are held whole, as their first
 * line comes last, and WebP always is.
 * @param {PictureHeader} header
 */
function decodedBytes(header) {
  const { format, width, height, channels, isProgressive, chromaSubsampling } = header
  const pixels = width * height
  if (format === 'webp') return pixels * 4
  // Coefficients of two bytes; with 4:2:0 the two channels of color have a quarter of them.
  if (format === 'jpeg' && isProgressive) return pixels * 2 * (chromaSubsampling === '4:2:0' ? 1.5 : channels)
  const lines = isProgressive ? height : Math.min(height, LINES_HELD)
  return width * lines * channels * bytesOfSample(header)
}

/**
 * Bytes that are held while a picture is decoded and encoded again in its own size. One that is turned is held whole.
 * @param {PictureHeader} header
 */
function reencodedBytes(header) {
  const { format, width, height, channels, hasAlpha, isProgressive, orientation = 1 } = header
  const pixels = width * height
  const turned = orientation > 1 ? pixels * channels * bytesOfSample(header) : 0
  const decoded = decodedBytes(header)
  if (format === 'webp')
    return decoded + turned + pixels * (hasAlpha ? ENCODER_BYTES.webpWithAlpha : ENCODER_BYTES.webp)
  return isProgressive ? decoded + turned : Math.max(decoded, turned)
}

/** @param {PictureHeader} header */
function describe(header) {
  const { width, height, channels, isProgressive } = header
  const bits = bytesOfSample(header) * 8
  const interlaced = isProgressive ? ', interlaced' : ''
  return `${inPixels(width)} × ${inPixels(height)} pixels, ${channels} channels of ${bits} bits${interlaced}`
}

/**
 * Why a picture is not decoded, as a sentence; undefined if it is.
 * @param {PictureHeader} header
 * @param {{ heldBytes: number, isEncoded?: boolean }} options how much may be held, and whether it is encoded in its own size
 */
export function pictureProblem(header, { heldBytes, isEncoded = false }) {
  const { width, height, bytes } = header
  if (width * height > MAX_PIXELS)
    return `This picture has more than ${MAX_PIXELS / 1_000_000} million pixels. Please make it smaller.`
  if (Math.max(width, height) > MAX_SIDE)
    return `This picture is ${inPixels(Math.max(width, height))} pixels long. At most ${inPixels(MAX_SIDE)} are accepted.`
  const needed = bytes + (isEncoded ? reencodedBytes(header) : decodedBytes(header))
  if (needed <= heldBytes) return undefined
  return `This picture takes ${inMegabytes(needed)} of memory to open (${describe(header)}); at most ${inMegabytes(heldBytes)} are allowed. Please make it smaller${header.isProgressive ? ', or export it without interlacing' : ''}.`
}
