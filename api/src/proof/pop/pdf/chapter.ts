import { formatDays, type PopChapter } from '@roadshow/contract'
import { drawDays, drawDayTable } from './days.ts'
import { drawPhotos, type ReadPicture } from './photos.ts'
import { drawRoutes, hasRoutes } from './route.ts'
import { color, EDGE, INNER, ensureSpace, type Pdf, write, writeFigures } from '../../../platform/pdf/sheet.ts'
import { dayTable } from '../publication/day-table.ts'
import {
  chapterNotes,
  chapterSoFar,
  mainFigures,
  ROUTE_CAPTION,
  stopLine,
  STOPS_TITLE,
  stopSummary,
} from '../publication/words.ts'

const DRAWINGS = { height: 232, route: 316, gap: 18 }

interface ChapterPrinting {
  publishedAt: string
  read: ReadPicture
  pace: () => Promise<void>
}

/** A market: text and figures, routes and days, photos. */
export async function drawChapter(doc: Pdf, chapter: PopChapter, printing: ChapterPrinting): Promise<void> {
  doc.addPage()
  doc.outline.addItem(`${chapter.name}, ${chapter.state}`)
  doc.rect(EDGE, 40, 36, 3).fill(color.amber)
  write(doc, `${chapter.name}, ${chapter.state}`, { x: EDGE, y: 52, size: 24, bold: true })
  write(doc, formatDays(chapter.startsOn, chapter.endsOn), { x: EDGE, y: doc.y + 2, size: 9.5, fill: color.soft })
  const soFar = chapterSoFar(printing.publishedAt, chapter)
  if (soFar) write(doc, soFar, { x: EDGE, y: doc.y + 2, size: 9.5, fill: color.soft })
  if (chapter.headline) write(doc, chapter.headline, { x: EDGE, y: doc.y + 10, size: 14, bold: true })
  if (chapter.text) write(doc, chapter.text, { x: EDGE, y: doc.y + 5, size: 10, gap: 2.5 })
  drawFigures(doc, chapter)
  drawRoutesAndDays(doc, chapter)
  drawStops(doc, chapter)
  await drawPhotos(doc, chapter, printing)
}

function drawFigures(doc: Pdf, chapter: PopChapter): void {
  ensureSpace(doc, 74)
  const { figures, photos } = chapter
  const verifiedPhotos = photos.filter(({ grade }) => grade === 'verified').length
  writeFigures(doc, mainFigures({ figures, photos: photos.length, verifiedPhotos }), doc.y + 14, 18)
  const notes = chapterNotes(chapter).join(' ')
  if (notes) write(doc, notes, { x: EDGE, y: doc.y + 4, size: 9, gap: 2, fill: color.soft })
}

/** Routes and charts beside each other, and the days in a table below. */
function drawRoutesAndDays(doc: Pdf, { name, routes, perDay }: PopChapter): void {
  const table = dayTable(perDay)
  const isRouted = hasRoutes(routes)
  if (!isRouted && table.columns.length === 0) return
  ensureSpace(doc, DRAWINGS.height + 26)
  const top = doc.y + 10
  const { height, route, gap } = DRAWINGS
  if (isRouted) drawRoutes(doc, routes, { x: EDGE, y: top, width: route, height })
  const left = isRouted ? EDGE + route + gap : EDGE
  drawDays(doc, table, { x: left, y: top, width: EDGE + INNER - left, height })
  doc.y = top + height + 4
  if (isRouted) write(doc, ROUTE_CAPTION, { x: EDGE, y: doc.y, size: 8, fill: color.soft, width: route })
  drawDayTable(doc, name, table)
}

/** The lines of the page's list of planned stops. */
function drawStops(doc: Pdf, { stops = [] }: PopChapter): void {
  if (stops.length === 0) return
  ensureSpace(doc, 60)
  write(doc, `${STOPS_TITLE}: ${stopSummary(stops)}`, { x: EDGE, y: doc.y + 10, size: 9, bold: true })
  doc.y += 4
  for (const stop of stops) {
    ensureSpace(doc, 14)
    write(doc, stopLine(stop), { x: EDGE, y: doc.y + 2, size: 8 })
  }
  doc.y += 6
}
