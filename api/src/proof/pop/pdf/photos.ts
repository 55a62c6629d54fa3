import {
  photoTimeText,
  type PopChapter,
  type PopGrade,
  popGradeLabel,
  type PublicPhoto,
  TIME_UNKNOWN,
} from '@roadshow/contract'
import { convertPicture } from '../../../platform/decoding/pictures/pictures.ts'
import { sourceOf } from '../../../platform/decoding/task-file.ts'
import { BOTTOM, color, EDGE, heightOf, INNER, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { drawFigure, drawOrnament } from '../../../platform/pdf/tags.ts'
import { photoCountText, photoZoneText } from '../publication/words.ts'

/** Reads a picture by its key. */
export type ReadPicture = (key: string, size: 'medium' | 'large') => Promise<Buffer>

const DPI = 150
const GUTTER = 10

export const toPixels = (points: number) => Math.round((points / 72) * DPI)

/** Converts a picture to JPEG in its printed size: PDF does not support WebP. */
export async function toPrintJpeg(picture: Buffer, width: number, height: number, fit: 'inside' | 'cover') {
  const { content } = await convertPicture(sourceOf(picture), {
    resize: { width: toPixels(width), height: toPixels(height), fit, withoutEnlargement: fit === 'inside' },
    background: color.paper,
    jpeg: { quality: 78, chromaSubsampling: '4:2:0' },
  })
  return content
}

/** Many photos are printed smaller, as contact sheets. */
const layoutFor = (photos: number) =>
  photos <= 24 ? { columns: 3, size: 7.5 } : photos <= 120 ? { columns: 4, size: 6.5 } : { columns: 6, size: 5.5 }

/** Every photo of a chapter in a grid, with caption and evidence. */
export async function drawPhotos(
  doc: Pdf,
  { name, photos, zone }: Pick<PopChapter, 'name' | 'photos' | 'zone'>,
  { read, pace }: { read: ReadPicture; pace: () => Promise<void> },
): Promise<void> {
  if (photos.length === 0) return
  const verified = photos.filter(({ grade }) => grade === 'verified').length
  const { columns, size } = layoutFor(photos.length)
  const width = (INNER - (columns - 1) * GUTTER) / columns
  const height = width * 0.72
  if (doc.y + 40 + height > BOTTOM) doc.addPage()
  const top = doc.y + 8
  write(doc, photoCountText(photos.length, verified), { x: EDGE, y: top, size: 11, bold: true, tag: 'H3' })
  write(doc, photos.some(({ takenAt }) => takenAt) ? photoZoneText(zone) : '', {
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
    const below = Math.max(...row.map((photo) => textHeight(doc, photo, { width, size })))
    if (doc.y + height + below > BOTTOM) doc.addPage()
    const { y } = doc
    row.forEach((photo, column) => {
      const x = EDGE + column * (width + GUTTER)
      drawOrnament(doc, () => doc.rect(x, y, width, height).fill(color.ground))
      const picture = pictures[column] ?? Buffer.alloc(0)
      drawFigure(doc, photo.caption || `Photo from ${name}`, () =>
        doc.image(picture, x, y, { fit: [width, height], align: 'center', valign: 'center' }),
      )
      drawText(doc, photo, { x, y: y + height + 4, width, size })
    })
    doc.y = y + height + below
  }
}

interface TextBox {
  x: number
  y: number
  width: number
  size: number
}

const captionStyle = ({ width, size }: Pick<TextBox, 'width' | 'size'>) => ({ size: size + 0.5, width })
const reasonStyle = ({ width, size }: Pick<TextBox, 'width' | 'size'>) => ({
  size: size - 0.5,
  width,
  fill: color.soft,
})

function textHeight(doc: Pdf, { caption, reason }: PublicPhoto, box: Pick<TextBox, 'width' | 'size'>): number {
  const captionHeight = heightOf(doc, caption, captionStyle(box))
  return 4 + box.size + 3 + captionHeight + heightOf(doc, reason, reasonStyle(box)) + 9
}

function drawText(doc: Pdf, photo: PublicPhoto, box: TextBox): void {
  const { x, y, width, size } = box
  drawGrade(doc, photo.grade, box)
  const time = photo.takenAt ? photoTimeText(photo.takenAt) : TIME_UNKNOWN
  write(doc, time, { x, y, size, fill: color.soft, width, align: 'right' })
  let next = y + size + 3
  if (photo.caption) {
    write(doc, photo.caption, { x, y: next, ...captionStyle(box) })
    next = doc.y
  }
  if (photo.reason) write(doc, photo.reason, { x, y: next, ...reasonStyle(box) })
}

const gradeColor: Record<PopGrade, string> = { verified: color.driving, unverified: '#B26B00', conflict: '#C6373C' }

/** A grade is a colored dot with its word beside it. */
function drawGrade(doc: Pdf, grade: PopGrade, { x, y, size }: TextBox): void {
  drawOrnament(doc, () => doc.circle(x + size * 0.35, y + size * 0.42, size * 0.32).fill(gradeColor[grade]))
  write(doc, popGradeLabel[grade], { x: x + size, y, size, bold: true, fill: gradeColor[grade], width: 80 })
}
