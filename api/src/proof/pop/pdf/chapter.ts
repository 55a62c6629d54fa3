import { formatDays, type PopChapter } from '@roadshow/contract'
import { drawDays } from './days.ts'
import { drawPhotos, type ReadPicture } from './photos.ts'
import { drawRoutes } from './route.ts'
import { color, EDGE, INNER, ensureSpace, type Pdf, write, writeFigures } from '../../../platform/pdf/sheet.ts'
import { zoneLongName } from '../publication/words.ts'
import { chapterFigures } from './words.ts'

const DRAWINGS = { height: 232, route: 316, gap: 18 }

/** A market: text and figures, routes and days, photos. */
export async function drawChapter(
  doc: Pdf,
  chapter: PopChapter,
  read: ReadPicture,
  pace: () => Promise<void>,
): Promise<void> {
  doc.addPage()
  doc.outline.addItem(`${chapter.name}, ${chapter.state}`)
  doc.rect(EDGE, 40, 36, 3).fill(color.amber)
  write(doc, `${chapter.name}, ${chapter.state}`, { x: EDGE, y: 52, size: 24, bold: true })
  const dates = `${formatDays(chapter.startsOn, chapter.endsOn)} · Times in ${zoneLongName(chapter.zone)}`
  write(doc, dates, { x: EDGE, y: doc.y + 2, size: 9.5, fill: color.soft })
  if (chapter.headline) write(doc, chapter.headline, { x: EDGE, y: doc.y + 10, size: 14, bold: true })
  if (chapter.text) write(doc, chapter.text, { x: EDGE, y: doc.y + 5, size: 10, gap: 2.5 })
  ensureSpace(doc, 60)
  writeFigures(doc, chapterFigures(chapter.figures), doc.y + 14, 18)
  ensureSpace(doc, DRAWINGS.height + 14)
  const top = doc.y + 10
  const { height, route, gap } = DRAWINGS
  drawRoutes(doc, chapter.routes, { x: EDGE, y: top, width: route, height })
  const beside = { x: EDGE + route + gap, y: top, width: INNER - route - gap, height }
  drawDays(doc, chapter.perDay, beside)
  doc.y = top + height + 8
  await drawPhotos(doc, chapter.photos, read, pace)
}
