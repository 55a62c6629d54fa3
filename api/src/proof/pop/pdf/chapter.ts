import { formatDays, type PopChapter } from '@roadshow/contract'
import { drawDays, drawDayTable, drawTitledTable } from './days.ts'
import { drawImpressions } from './impressions.ts'
import { drawPhotos, type ReadPicture } from './photos.ts'
import { drawRoutes, hasRoutes } from './route.ts'
import { pdfColumns } from '../../../platform/pdf/table.ts'
import {
  BOTTOM,
  color,
  EDGE,
  ensureSpace,
  heightOf,
  INNER,
  type Pdf,
  write,
  writeFigures,
} from '../../../platform/pdf/sheet.ts'
import { drawOrnament, openPart } from '../../../platform/pdf/tags.ts'
import { dayTable } from '../publication/day-table.ts'
import {
  chapterNotes,
  chapterSoFar,
  mainFigures,
  ROUTE_CAPTION,
  stopColumns,
  STOPS_TITLE,
  stopSummary,
} from '../publication/words.ts'

const DRAWINGS = { height: 232, route: 316, gap: 18 }
const HEADLINE = { size: 14, bold: true }
const TEXT = { size: 10, gap: 2.5 }

interface ChapterPrinting {
  publishedAt: string
  read: ReadPicture
  pace: () => Promise<void>
}

/** A market: text and figures, routes and days, photos. */
export async function drawChapter(doc: Pdf, chapter: PopChapter, printing: ChapterPrinting): Promise<void> {
  const closePart = openPart(doc, 'Sect')
  drawOpening(doc, chapter, chapterSoFar(printing.publishedAt, chapter))
  drawFigures(doc, chapter)
  drawRoutesAndDays(doc, chapter)
  drawStops(doc, chapter)
  await drawPhotos(doc, chapter, printing)
  closePart()
}

/** The height from the name of a market to the end of its drawings, which stay together. */
function openingHeight(doc: Pdf, { headline, text, routes, perDay }: PopChapter): number {
  const words = heightOf(doc, headline, HEADLINE) + heightOf(doc, text, TEXT)
  const hasDrawings = hasRoutes(routes) || perDay.length > 0
  return 180 + words + (hasDrawings ? DRAWINGS.height + 40 : 0)
}

const TOP = 40
const ABOVE = 26

/** Begins below the market before where there is space for the opening, so that no page stays nearly empty. */
function drawOpening(doc: Pdf, chapter: PopChapter, soFar: string): void {
  if (doc.y + ABOVE + openingHeight(doc, chapter) > BOTTOM) doc.addPage()
  const isNewPage = doc.y <= doc.page.margins.top
  const top = isNewPage ? TOP : doc.y + ABOVE
  const name = `${chapter.name}, ${chapter.state}`
  doc.outline.addItem(name)
  drawOrnament(doc, () => doc.rect(EDGE, top, 36, 3).fill(color.amber))
  write(doc, name, { x: EDGE, y: top + 12, size: 24, bold: true, tag: 'H2' })
  const soft = { x: EDGE, size: 9.5, fill: color.soft }
  write(doc, formatDays(chapter.startsOn, chapter.endsOn), { ...soft, y: doc.y + 2 })
  if (soFar) write(doc, soFar, { ...soft, y: doc.y + 2 })
  if (chapter.headline) write(doc, chapter.headline, { ...HEADLINE, x: EDGE, y: doc.y + 10 })
  if (chapter.text) write(doc, chapter.text, { ...TEXT, x: EDGE, y: doc.y + 5 })
}

function drawFigures(doc: Pdf, chapter: PopChapter): void {
  ensureSpace(doc, 74)
  const { figures, photos } = chapter
  const verifiedPhotos = photos.filter(({ grade }) => grade === 'verified').length
  writeFigures(doc, mainFigures({ figures, photos: photos.length, verifiedPhotos }), doc.y + 14, 18)
  drawImpressions(doc, chapter.impressions, 9)
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
  if (isRouted) drawRoutes(doc, { name, routes }, { x: EDGE, y: top, width: route, height })
  const left = isRouted ? EDGE + route + gap : EDGE
  if (table.columns.length > 0) drawDays(doc, table, { x: left, y: top, width: EDGE + INNER - left, height })
  doc.y = top + height + 4
  if (isRouted) write(doc, ROUTE_CAPTION, { x: EDGE, y: doc.y, size: 8, fill: color.soft, width: route })
  drawDayTable(doc, name, table)
}

// Day, stop, planned, arrived, left, time there, result.
const STOP_WIDTHS = [92, 112, 92, 54, 54, 60, 68]
const stopTitles = stopColumns.map(({ title }) => title)

/** The page's table of planned stops. */
function drawStops(doc: Pdf, { stops = [] }: PopChapter): void {
  if (stops.length === 0) return
  const rows = stops.map((stop) => stopColumns.map(({ cell }) => cell(stop)))
  drawTitledTable(doc, `${STOPS_TITLE}: ${stopSummary(stops)}`, pdfColumns(stopTitles, STOP_WIDTHS, 2), rows)
}
