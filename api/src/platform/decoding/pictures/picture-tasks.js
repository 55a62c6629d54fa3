import sharp from 'sharp'
import { Refusal } from '../refusal.js'
import { checkKind, kindOf } from '../kind.js'
import { loadPicture, openPicture, readExif, refuseIfUndecodable } from './open-picture.js'

/** @typedef {import('../task-file.ts').TaskFile} TaskFile */

const THUMBNAIL = 480

/** @param {Buffer} content */
const thumbnailOf = (content) =>
  openPicture(content)
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()

/**
 * Facts of a picture that is stored as it came.
 * @param {{ type: string }} input
 * @param {TaskFile} file
 */
export async function inspectPicture({ type }, file) {
  await checkKind(file, type)
  const { content, metadata } = await loadPicture(file)
  // Making the thumbnail decodes every line, which finds pictures that are cut off.
  const thumbnail = await refuseIfUndecodable(thumbnailOf(content))
  // The file is stored unchanged, so damaged EXIF data that other programs cannot read is refused.
  const exif = await readExif(metadata.exif)
  if (exif?.['errors'])
    throw new Refusal('The camera data (EXIF) in this picture is damaged. Please export it again without camera data.')
  const { width, height } = metadata.autoOrient
  return { width, height, thumbnail }
}

/**
 * How a picture is encoded again. Anything better for JPEG, or fewer colors for PNG, would hold the whole picture.
 * @type {Record<string, (picture: import('sharp').Sharp) => import('sharp').Sharp>}
 */
const encoders = {
  'image/jpeg': (picture) => picture.jpeg({ quality: 88, optimizeCoding: false }),
  'image/png': (picture) => picture.png(),
  'image/webp': (picture) => picture.webp({ quality: 88 }),
}

/**
 * Re-encodes a picture: turned upright, and reduced to its pixels.
 * @param {{ type: string }} input
 * @param {TaskFile} file
 */
export async function reencodePicture({ type }, file) {
  await checkKind(file, type)
  const { content } = await loadPicture(file, { isEncoded: true })
  const encode = encoders[type] ?? ((picture) => picture)
  const { data, info } = await refuseIfUndecodable(encode(openPicture(content)).toBuffer({ resolveWithObject: true }))
  return {
    content: data,
    width: info.width,
    height: info.height,
    thumbnail: await refuseIfUndecodable(thumbnailOf(data)),
  }
}

const PICTURES = ['image/jpeg', 'image/png', 'image/webp']

/**
 * A small picture of the frame that a browser made of a video; undefined if the frame is unreadable, as it is optional.
 * @param {object} _
 * @param {TaskFile} file
 */
export async function makeThumbnail(_, file) {
  try {
    const kind = await kindOf(file)
    if (!PICTURES.includes(kind?.mime ?? '')) return undefined
    return await thumbnailOf((await loadPicture(file)).content)
  } catch {
    return undefined
  }
}

/**
 * Makes a picture of another size or kind of a picture that is stored.
 * @param {{
 *   resize?: import('sharp').ResizeOptions
 *   background?: string
 *   jpeg?: import('sharp').JpegOptions
 *   webp?: import('sharp').WebpOptions
 * }} input a background fills what is transparent; either `jpeg` or `webp` is given
 * @param {TaskFile} file
 */
export async function convertPicture({ resize, background, jpeg, webp }, file) {
  const { content } = await loadPicture(file)
  const picture = openPicture(content)
  if (resize) picture.resize(resize)
  if (background) picture.flatten({ background })
  const encoded = jpeg ? picture.jpeg(jpeg) : picture.webp(webp)
  const { data, info } = await refuseIfUndecodable(encoded.toBuffer({ resolveWithObject: true }))
  return { content: data, width: info.width, height: info.height }
}

/**
 * Draws an SVG of the product's own making, such as the artwork of the demo.
 * @param {{ svg: string, type: 'jpeg' | 'png', quality?: number, exif?: import('sharp').Exif }} input
 */
export async function drawSvg({ svg, type, quality, exif }) {
  const drawn = sharp(Buffer.from(svg)).toFormat(type, quality === undefined ? {} : { quality })
  return (exif ? drawn.withExif(exif) : drawn).toBuffer()
}
