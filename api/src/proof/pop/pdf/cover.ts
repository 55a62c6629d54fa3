import { formatDays, formatHours, milesValue, playsValue, type PopDocument } from '@roadshow/contract'
import sharp from 'sharp'
import { toPixels, toPrintJpeg, type ReadPicture } from './photos.ts'
import {
  BOTTOM,
  color,
  EDGE,
  heightOf,
  INNER,
  PAGE,
  type Pdf,
  write,
  writeFigures,
  writeFitting,
} from '../../../platform/pdf/sheet.ts'
import {
  listMarkets,
  mainFigures,
  photoCountText,
  programNotes,
  programSoFar,
  verifiedShare,
} from '../publication/words.ts'

const PHOTO = { top: 44, height: 240 }
const ROW = 19
const LOGO = 56

/** The first page: client, program, dates, figures and markets. */
export async function drawCover(doc: Pdf, document: PopDocument, read: ReadPicture): Promise<void> {
  const title = heightOf(doc, document.program, { size: 34, bold: true })
  const plate = PHOTO.top + PHOTO.height
  const asphalt = plate + 84 + title + 34
  doc.rect(0, 0, PAGE.width, asphalt).fill(color.asphalt)
  write(doc, document.brand, { x: EDGE, y: 16, size: 13, bold: true, fill: color.paper })
  write(doc, 'Proof of play', { x: EDGE, y: 18, size: 10, fill: color.headlight, align: 'right' })
  if (document.cover !== null) {
    const photo = await toPrintJpeg(await read(document.cover, 'large'), PAGE.width, PHOTO.height, 'cover')
    doc.image(photo, 0, PHOTO.top, { width: PAGE.width, height: PHOTO.height })
  }
  const indent = document.logo ? LOGO + 14 : 0
  if (document.logo) await drawLogo(doc, await read(document.logo.key, 'large'), EDGE, plate + 16)
  const client = { size: 15, bold: true, fill: color.headlight, width: INNER - indent }
  writeFitting(doc, document.client, { x: EDGE + indent, y: plate + 36, ...client })
  write(doc, document.program, { x: EDGE, y: plate + 84, size: 34, bold: true, fill: color.paper })
  const dates = formatDays(document.startsOn, document.endsOn)
  const where = listMarkets(document.chapters)
  write(doc, [dates, where].filter(Boolean).join(' · '), { x: EDGE, y: doc.y + 4, size: 11, fill: '#C9D3E0' })
  writeFigures(doc, mainFigures(document), asphalt + 24, 30)
  const notes = [programSoFar(document), ...programNotes(document)].filter(Boolean).join(' ')
  if (notes) write(doc, notes, { x: EDGE, y: doc.y + 6, size: 9.5, gap: 2, fill: color.soft })
  drawWords(doc, document)
  drawMarkets(doc, document)
}

async function drawLogo(doc: Pdf, picture: Buffer, x: number, y: number): Promise<void> {
  const inner = LOGO - 8
  const logo = await sharp(picture)
    .resize({ width: toPixels(inner) * 2, height: toPixels(inner) * 2, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: color.paper })
    .jpeg({ quality: 90 })
    .toBuffer()
  doc.roundedRect(x, y, LOGO, LOGO, 6).fill(color.paper)
  doc.image(logo, x + 4, y + 4, { fit: [inner, inner], align: 'center', valign: 'center' })
}

function drawWords(doc: Pdf, { headline, text }: PopDocument): void {
  doc.y += 10
  if (headline) write(doc, headline, { x: EDGE, y: doc.y, size: 15, bold: true })
  if (text) write(doc, text, { x: EDGE, y: doc.y + 6, size: 10, gap: 2.5 })
  doc.y += 12
}

/** A table of the markets with their figures. */
function drawMarkets(doc: Pdf, { chapters, photos, verifiedPhotos }: PopDocument): void {
  const columns = [
    { title: 'Market', width: INNER - 330, align: 'left' },
    { title: 'Miles', width: 70, align: 'right' },
    { title: 'Hours', width: 60, align: 'right' },
    { title: 'Plays', width: 80, align: 'right' },
    { title: 'Verified', width: 60, align: 'right' },
    { title: 'Photos', width: 60, align: 'right' },
  ] as const
  const row = (cells: readonly string[], bold: boolean, fill: string) => {
    if (doc.y + 20 > BOTTOM) doc.addPage()
    const { y } = doc
    let x = EDGE
    columns.forEach(({ width, align }, index) => {
      write(doc, cells[index] ?? '', { x, y, size: 9.5, bold, fill, width: width - 4, align })
      x += width
    })
    doc
      .moveTo(EDGE, y + 14)
      .lineTo(EDGE + INNER, y + 14)
      .lineWidth(0.5)
      .stroke(color.line)
    doc.y = y + ROW
  }
  // A table that fits on one page is not split.
  if (doc.y + (chapters.length + 2) * ROW > BOTTOM && chapters.length < 30) doc.addPage()
  row(
    columns.map(({ title }) => title),
    true,
    color.soft,
  )
  for (const { name, state, figures, photos: shown } of chapters) {
    row(
      [
        `${name}, ${state}`,
        milesValue(figures),
        formatHours(figures.seconds),
        playsValue(figures),
        verifiedShare(figures),
        String(shown.length),
      ],
      false,
      color.ink,
    )
  }
  if (doc.y + 20 > BOTTOM) doc.addPage()
  write(doc, photoCountText(photos, verifiedPhotos), { x: EDGE, y: doc.y + 4, size: 9, fill: color.soft })
}
