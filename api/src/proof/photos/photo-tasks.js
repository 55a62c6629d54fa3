import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { Refusal } from '../../platform/decoding/refusal.js'
import { kindOf } from '../../platform/decoding/kind.js'
import {
  loadPicture,
  openPicture,
  readExif,
  refuseIfUndecodable,
} from '../../platform/decoding/pictures/open-picture.js'

/** @typedef {import('../../platform/decoding/task-file.ts').TaskFile} TaskFile */
/** @typedef {{ data: Buffer, info: import('sharp').OutputInfo }} Encoded */

const PHOTOS = ['image/jpeg', 'image/png', 'image/webp']
const HEIC = ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']
const HEIC_REFUSED =
  'HEIC photos are not supported. On the iPhone, choose Settings > Camera > Formats > Most Compatible, or export the photo as JPEG.'

/** @param {TaskFile} file */
async function checkPhoto(file) {
  const found = await kindOf(file)
  if (found && HEIC.includes(found.mime)) throw new Refusal(HEIC_REFUSED)
  if (found && PHOTOS.includes(found.mime)) return
  const why = found ? `${found.ext.toUpperCase()} files are not supported.` : 'This file is not a picture.'
  throw new Refusal(`${why} Choose JPEG, PNG or WebP photos.`)
}

// Camera data is as long as a camera makes it; a file may hold anything.
const MAX_TEXT = 64
const textIn = (/** @type {unknown} */ value) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined)
const numberIn = (/** @type {unknown} */ value) => (typeof value === 'number' ? value : undefined)

/**
 * The camera data of a photo as its file has it. Damaged or missing data makes a photo unverified, not unusable.
 * @param {object} _
 * @param {TaskFile} file
 */
export async function inspectPhoto(_, file) {
  await checkPhoto(file)
  const { metadata } = await loadPicture(file)
  const options = { ifd0: {}, exif: true, gps: true, reviveValues: false, translateValues: false }
  const exif = (await readExif(metadata.exif, options)) ?? {}
  const clock = exif['GPSTimeStamp']
  return {
    dateTimeOriginal: textIn(exif['DateTimeOriginal']),
    offsetTimeOriginal: textIn(exif['OffsetTimeOriginal']),
    gpsDateStamp: textIn(exif['GPSDateStamp']),
    gpsTimeStamp: Array.isArray(clock) ? clock.slice(0, 3).map(Number) : undefined,
    latitude: numberIn(exif['latitude']),
    longitude: numberIn(exif['longitude']),
  }
}

/** The longest side of each size, in pixels: a thumbnail, a phone's screen, a large one. */
const longestSide = { small: 480, medium: 1200, large: 2400 }
const BLUR = 24

/** @param {Encoded} encoded */
const factsOf = ({ data, info }) => ({
  width: info.width,
  height: info.height,
  bytes: data.length,
  sha256: createHash('sha256').update(data).digest('hex'),
})

/** @param {Buffer} content */
async function encodeSizes(content) {
  const { large, medium, small } = longestSide
  // Decodes once; the smaller sizes are made from the pixels of the large one.
  const { data, info } = await openPicture(content)
    .flatten({ background: '#fff' })
    .resize(large, large, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } }
  const inside = (/** @type {number} */ side) =>
    sharp(data, pixels).resize(side, side, { fit: 'inside', withoutEnlargement: true })
  const webp = (/** @type {number} */ side) =>
    inside(side).webp({ quality: 80, effort: 2 }).toBuffer({ resolveWithObject: true })
  const blur = await inside(BLUR).webp({ quality: 30 }).toBuffer()
  // A small photo is not enlarged, so its sizes are the same file.
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

/**
 * Makes the sizes of a photo: upright, and without metadata.
 * @param {object} _
 * @param {TaskFile} file
 */
export async function makePictures(_, file) {
  const { content } = await loadPicture(file)
  return refuseIfUndecodable(encodeSizes(content))
}
