import { formatShortDay } from '@roadshow/contract'
import { type DayChart, dayCharts, type DayTable, dayTableColumns } from '../publication/day-table.ts'
import { PLAY_KEYS } from '../publication/words.ts'
import { type Box, color, EDGE, ensureSpace, INNER, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { drawFigure } from '../../../platform/pdf/tags.ts'
import { drawTable, type PdfColumn, pdfColumns } from '../../../platform/pdf/table.ts'

const TITLE = 12
const LABEL = 10

function drawBars(doc: Pdf, { kind, title, most, bars }: DayChart, [first, last]: [string, string], box: Box): void {
  const top = Math.max(...bars.map(({ all }) => all))
  const fill = kind === 'miles' ? color.amber : color.driving
  const small = { size: 7.5, fill: color.soft }
  write(doc, title, { x: box.x, y: box.y, size: 8, bold: true, width: box.width * 0.65 })
  write(doc, most, { x: box.x, y: box.y, ...small, width: box.width, align: 'right' })
  const ground = box.y + box.height - LABEL
  const space = box.height - TITLE - LABEL
  const pitch = box.width / bars.length
  const thick = Math.min(Math.max(pitch * 0.72, 0.4), 26)
  bars.forEach(({ all, verified = all }, index) => {
    const x = box.x + (index + 0.5) * pitch - thick / 2
    const [high, low] = [(all / top) * space, (verified / top) * space]
    if (high > 0) doc.rect(x, ground - high, thick, high).fill('#C9D3E0')
    if (low > 0) doc.rect(x, ground - low, thick, low).fill(fill)
  })
  doc
    .moveTo(box.x, ground)
    .lineTo(box.x + box.width, ground)
    .lineWidth(0.6)
    .stroke(color.soft)
  const half = box.width / 2
  write(doc, formatShortDay(first), { x: box.x, y: ground + 2, ...small, width: half })
  if (last !== first)
    write(doc, formatShortDay(last), { x: box.x + half, y: ground + 2, ...small, width: half, align: 'right' })
}

/** Two bar charts by day, week or month: miles, and plays with the verified ones. The table below has their numbers. */
export const drawDays = (doc: Pdf, table: DayTable, box: Box): void =>
  drawFigure(doc, `Miles and plays per ${table.step}`, () => drawCharts(doc, table, box))

function drawCharts(doc: Pdf, table: DayTable, box: Box): void {
  const { columns } = table
  const half = { ...box, height: box.height / 2 - 6 }
  for (const [index, chart] of dayCharts(table).entries()) {
    const place = { ...half, y: box.y + index * (box.height / 2 + 6) }
    drawBars(doc, chart, [columns[0]?.day ?? '', columns.at(-1)?.day ?? ''], place)
    if (chart.kind === 'plays') drawKey(doc, place)
  }
}

/** What the two colors of a chart of plays mean. */
function drawKey(doc: Pdf, { x, y, width, height }: Box): void {
  const at = { y: y + height + 1, size: 7.5, fill: color.soft, width: 60 }
  const left = x + width / 2 - 55
  doc.rect(left, at.y + 1, 5, 5).fill(color.driving)
  write(doc, PLAY_KEYS.verified, { ...at, x: left + 8 })
  doc.rect(left + 50, at.y + 1, 5, 5).fill('#C9D3E0')
  write(doc, PLAY_KEYS.other, { ...at, x: left + 58 })
}

/** The rows of the page's day table. */
export function drawDayTable(doc: Pdf, name: string, table: DayTable): void {
  if (table.rows.length === 0) return
  const columns = dayTableColumns(table)
  const titles = columns.map(({ title }) => title)
  drawTitledTable(
    doc,
    `${name} by ${table.step}: ${table.summary}`,
    pdfColumns(titles, columnWidths(titles)),
    table.rows.map((row) => columns.map(({ cell }) => cell(row))),
  )
}

/** A table below its title, which stays with the first rows. */
export function drawTitledTable(doc: Pdf, title: string, columns: PdfColumn[], rows: string[][]): void {
  ensureSpace(doc, 60)
  write(doc, title, { x: EDGE, y: doc.y + 10, size: 9, bold: true, tag: 'H3' })
  doc.y += 4
  drawTable(doc, columns, rows, { size: 8, row: 13 })
  doc.y += 6
}

/** Miles and plays may carry a note and get what the other columns leave. */
function columnWidths(titles: readonly string[]): number[] {
  const fixed: Record<string, number> = { Days: 36, Hours: 48, 'Verified plays': 76 }
  const left = INNER - 84 - titles.reduce((sum, title) => sum + (fixed[title] ?? 0), 0)
  return titles.map((title, index) => (index === 0 ? 84 : (fixed[title] ?? left / 2)))
}
