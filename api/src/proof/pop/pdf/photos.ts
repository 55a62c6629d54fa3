import type { PublicPhoto } from '@roadshow/contract'
import sharp from 'sharp'
import { BOTTOM, color, EDGE, heightOf, INNER, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { pluralize } from '../publication/words.ts'
import { writeGrade } from './grade.ts'

/** Reads a picture by its key. */
export type ReadPicture = (key: string, size: 'medium' | 'large') => Promise<Buffer>

const DPI = 150
const GUTTER = 10

export const toPixels = (points: number) => Math.round((points / 72) * DPI)

/** As a JPEG no larger than it is printed: PDF knows no WebP. */
export const toPrintJpeg = (picture: Buffer, width: number, height: number, fit: 'inside' | 'cover'): Promise<Buffer> =>
  sharp(picture)
    .resize({ width: toPixels(width), height: toPixels(height), fit, withoutEnlargement: fit === 'inside' })
    .flatten({ background: color.paper })
    .jpeg({ quality: 78, chromaSubsampling: '4:2:0' })
    .toBuffer()

/** Many photos become contact sheets: all of them are printed, but smaller. */
const layoutFor = (photos: number) =>
  photos <= 24 ? { columns: 3, size: 7.5 } : photos <= 120 ? { columns: 4, size: 6.5 } : { columns: 6, size: 5.5 }

/** Every photo of a chapter in a grid, with what is known of it. */
export async function drawPhotos(
  doc: Pdf,
  photos: readonly PublicPhoto[],
  read: ReadPicture,
  pace: () => Promise<void>,
): Promise<void> {
  if (photos.length === 0) return
  const verified = photos.filter(({ grade }) => grade === 'verified').length
  const { columns, size } = layoutFor(photos.length)
  const width = (INNER - (columns - 1) * GUTTER) / columns
  const height = width * 0.72
  if (doc.y + 40 + height > BOTTOM) doc.addPage()
  const top = doc.y + 8
  write(doc, pluralize(photos.length, 'photo'), { x: EDGE, y: top, size: 11, bold: true })
  write(doc, `${verified} of them verified by the truck’s track`, {
    x: EDGE,
    y: top + 2,
    size: 8,
    fill: color.soft,
    align: 'right',
  })
  doc.y = top + 18
  for (let at = 0; at < photos.length; at += columns) {
    const row = photos.slice(at, at + columns)
    await pace()
    const pictures = await Promise.all(
      row.map(async ({ key }) => toPrintJpeg(await read(key, 'medium'), width, height, 'inside')),
    )
    const below = Math.max(...row.map((photo) => wordsHeight(doc, photo, width, size)))
    if (doc.y + height + below > BOTTOM) doc.addPage()
    const { y } = doc
    row.forEach((photo, column) => {
      const x = EDGE + column * (width + GUTTER)
      doc.rect(x, y, width, height).fill(color.ground)
      doc.image(pictures[column] ?? Buffer.alloc(0), x, y, { fit: [width, height], align: 'center', valign: 'center' })
      drawWords(doc, photo, x, y + height + 4, width, size)
    })
    doc.y = y + height + below
  }
}

const captionStyle = (width: number, size: number) => ({ size: size + 0.5, width })
const reasonStyle = (width: number, size: number) => ({ size: size - 0.5, width, fill: color.soft })

function wordsHeight(doc: Pdf, { caption, reason }: PublicPhoto, width: number, size: number): number {
  const captionHeight = heightOf(doc, caption, captionStyle(width, size))
  return 4 + size + 3 + captionHeight + heightOf(doc, reason, reasonStyle(width, size)) + 9
}

function drawWords(doc: Pdf, photo: PublicPhoto, x: number, y: number, width: number, size: number): void {
  writeGrade(doc, photo.grade, x, y, size)
  write(doc, photo.takenAt ?? 'time unknown', { x, y, size, fill: color.soft, width, align: 'right' })
  let next = y + size + 3
  if (photo.caption) {
    write(doc, photo.caption, { x, y: next, ...captionStyle(width, size) })
    next = doc.y
  }
  if (photo.reason) write(doc, photo.reason, { x, y: next, ...reasonStyle(width, size) })
}
