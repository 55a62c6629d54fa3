import { encodeAside } from './encodeAside.ts'
import { compressedSize, isBetter, MAX_BYTES } from './compression-rules.ts'
import type { PictureSize } from './compression-rules.ts'
import { findExif, setUpright, withExif } from './exif.ts'

const QUALITY = 0.85
const THUMBNAIL = 160

/** A picture that this phone cannot read, or that is too large to send. */
export class UnusablePicture extends Error {}

export interface ReadyPicture {
  /** What is sent. */
  content: Blob
  /** A small picture for the list of what waits. */
  thumbnail: Blob
}

/** Makes a picture ready to wait and to be sent: small enough, and with the camera's own data where there are any. */
export async function shrinkPicture(original: Blob): Promise<ReadyPicture> {
  const picture = await createImageBitmap(original, { imageOrientation: 'from-image' }).catch(() => {
    throw new UnusablePicture()
  })
  try {
    const content = await contentOf(original, picture)
    if (content.size > MAX_BYTES) throw new UnusablePicture()
    return { content, thumbnail: await draw(picture, thumbnailSize(picture), 0.7) }
  } finally {
    picture.close()
  }
}

/** A small picture of a larger one; undefined if it cannot be read. */
export async function thumbnailOf(original: Blob): Promise<Blob | undefined> {
  const picture = await createImageBitmap(original, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!picture) return undefined
  try {
    return await draw(picture, thumbnailSize(picture), 0.7)
  } finally {
    picture.close()
  }
}

async function contentOf(original: Blob, picture: ImageBitmap): Promise<Blob> {
  const facts = { type: original.type, bytes: original.size, width: picture.width, height: picture.height }
  const size = compressedSize(facts)
  if (!size) return original
  const drawn = await draw(picture, size, QUALITY)
  if (!isBetter({ bytes: drawn.size }, facts)) return original
  const exif = findExif(new Uint8Array(await original.arrayBuffer()))
  if (!exif) return drawn
  const bytes = withExif(new Uint8Array(await drawn.arrayBuffer()), setUpright(exif))
  return new Blob([bytes], { type: 'image/jpeg' })
}

function thumbnailSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, THUMBNAIL / Math.min(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Draws a picture, or the present one of a camera, as a JPEG. */
export async function draw(source: CanvasImageSource, size: PictureSize, quality: number): Promise<Blob> {
  const made = (await drawAside(source, size, quality)) ?? (await drawInPage(source, size, quality))
  if (!made) throw new UnusablePicture()
  return made
}

/** Null in a browser that draws on its pages only. */
async function drawAside(source: CanvasImageSource, size: PictureSize, quality: number): Promise<Blob | null> {
  if (typeof OffscreenCanvas === 'undefined') return null
  const canvas = new OffscreenCanvas(size.width, size.height)
  const context = canvas.getContext('2d')
  if (!context) return null
  paint(context, source, size)
  return encodeAside(canvas, quality)
}

async function drawInPage(source: CanvasImageSource, size: PictureSize, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = size.height
  const context = canvas.getContext('2d')
  if (!context) return null
  paint(context, source, size)
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  // Phones hold few of these at a time, and give their memory back late.
  canvas.width = 0
  return made
}

type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

function paint(brush: Brush, source: CanvasImageSource, { width, height }: PictureSize): void {
  // A picture with transparent parts has no black ones.
  brush.fillStyle = 'white'
  brush.fillRect(0, 0, width, height)
  brush.drawImage(source, 0, 0, width, height)
}
