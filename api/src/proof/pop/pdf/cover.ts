import { formatDays, type PopDocument } from '@roadshow/contract'
import { convertPicture } from '../../../platform/decoding/pictures/pictures.ts'
import { sourceOf } from '../../../platform/decoding/task-file.ts'
import { toPixels, toPrintJpeg, type ReadPicture } from './photos.ts'
import {
  BOTTOM,
  color,
  EDGE,
  ensureSpace,
  heightOf,
  INNER,
  PAGE,
  type Pdf,
  write,
  writeFigures,
  writeFitting,
} from '../../../platform/pdf/sheet.ts'
import { drawFigure, drawOrnament } from '../../../platform/pdf/tags.ts'
import { comparedFigures } from '../publication/comparison.ts'
import { listMarkets, mainFigures, photoCountText, programNotes, programSoFar } from '../publication/words.ts'
import { drawTable, pdfColumns } from '../../../platform/pdf/table.ts'
import { drawImpressions } from './impressions.ts'

const PHOTO = { top: 44, height: 240 }
const ROW = 19
const LOGO = 56

/** The first page: client, program, dates, figures and markets. */
export async function drawCover(doc: Pdf, document: PopDocument, read: ReadPicture): Promise<void> {
  const title = heightOf(doc, document.program, { size: 34, bold: true })
  const plate = PHOTO.top + PHOTO.height
  const asphalt = plate + 84 + title + 34
  drawOrnament(doc, () => doc.rect(0, 0, PAGE.width, asphalt).fill(color.asphalt))
  write(doc, document.brand, { x: EDGE, y: 16, size: 13, bold: true, fill: color.paper })
  write(doc, 'Proof of play', { x: EDGE, y: 18, size: 10, fill: color.headlight, align: 'right' })
  if (document.cover !== null) {
    const photo = await toPrintJpeg(await read(document.cover, 'large'), PAGE.width, PHOTO.height, 'cover')
    drawFigure(doc, coverAlt(document), () =>
      doc.image(photo, 0, PHOTO.top, { width: PAGE.width, height: PHOTO.height }),
    )
  }
  const indent = document.logo ? LOGO + 14 : 0
  if (document.logo) await drawLogo(doc, await read(document.logo.key, 'large'), EDGE, plate + 16)
  const client = { size: 15, bold: true, fill: color.headlight, width: INNER - indent }
  writeFitting(doc, document.client, { x: EDGE + indent, y: plate + 36, ...client })
  write(doc, document.program, { x: EDGE, y: plate + 84, size: 34, bold: true, fill: color.paper, tag: 'H1' })
  const dates = formatDays(document.startsOn, document.endsOn)
  const where = listMarkets(document.chapters)
  write(doc, [dates, where].filter(Boolean).join(' · '), { x: EDGE, y: doc.y + 4, size: 11, fill: '#C9D3E0' })
  writeFigures(doc, mainFigures(document), asphalt + 24, 30)
  drawImpressions(doc, document.impressions, 9.5)
  const notes = [programSoFar(document), ...programNotes(document)].filter(Boolean).join(' ')
  if (notes) write(doc, notes, { x: EDGE, y: doc.y + 6, size: 9.5, gap: 2, fill: color.soft })
  drawWords(doc, document)
  drawMarkets(doc, document)
}

const coverAlt = ({ chapters, cover, program }: PopDocument) =>
  chapters.flatMap(({ photos }) => photos).find(({ key }) => key === cover)?.caption || `Photo of ${program}`

async function drawLogo(doc: Pdf, picture: Buffer, x: number, y: number): Promise<void> {
  const inner = LOGO - 8
  const side = toPixels(inner) * 2
  const { content: logo } = await convertPicture(sourceOf(picture), {
    resize: { width: side, height: side, fit: 'inside', withoutEnlargement: true },
    background: color.paper,
    jpeg: { quality: 90 },
  })
  drawOrnament(doc, () => {
    doc.roundedRect(x, y, LOGO, LOGO, 6).fill(color.paper)
    doc.image(logo, x + 4, y + 4, { fit: [inner, inner], align: 'center', valign: 'center' })
  })
}

function drawWords(doc: Pdf, { headline, text }: PopDocument): void {
  doc.y += 10
  if (headline) write(doc, headline, { x: EDGE, y: doc.y, size: 15, bold: true })
  if (text) write(doc, text, { x: EDGE, y: doc.y + 6, size: 10, gap: 2.5 })
  doc.y += 12
}

const marketColumns = pdfColumns(
  ['Market', ...comparedFigures.map(({ title }) => title)],
  [110, ...comparedFigures.map(() => (INNER - 110) / comparedFigures.length)],
)

/** The markets with their figures, as the page compares them; a single one has nothing to be compared with. */
function drawMarkets(doc: Pdf, { chapters, photos, verifiedPhotos }: PopDocument): void {
  if (chapters.length > 1) drawComparison(doc, chapters)
  ensureSpace(doc, 20)
  write(doc, photoCountText(photos, verifiedPhotos), { x: EDGE, y: doc.y + 4, size: 9, fill: color.soft })
}

function drawComparison(doc: Pdf, chapters: PopDocument['chapters']): void {
  // A table that fits on one page is not split.
  if (doc.y + (chapters.length + 3) * ROW > BOTTOM && chapters.length < 30) doc.addPage()
  const rows = chapters.map((chapter) => [
    `${chapter.name}, ${chapter.state}`,
    ...comparedFigures.map(({ value }) => value({ ...chapter, allPhotos: chapter.photos.length })),
  ])
  drawTable(doc, marketColumns, rows, { size: 8.5, row: ROW, isRuled: true })
}
