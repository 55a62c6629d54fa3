import { buffer } from 'node:stream/consumers'
import { dayText, formatFullDay } from '@roadshow/contract'
import { drawFooters, drawHeading, openReport } from '../../platform/pdf/report.ts'
import { color, EDGE, ensureSpace, INNER, type Pdf, write, writeFigures } from '../../platform/pdf/sheet.ts'
import { drawTable, type PdfColumn, pdfColumns } from '../../platform/pdf/table.ts'
import { startTags } from '../../platform/pdf/tags.ts'
import type { CampaignReport } from './report.ts'
import { bookedRows, MARKET_TITLES, marketRows, occasionText, reportTitle, spanFigures, totalFigures } from './words.ts'

interface Printing {
  brand: string
  now: Date
  /** The hash of the CSV file that goes with it. */
  csvSha256: string
}

const soft = { x: EDGE, size: 9, fill: color.soft, gap: 2 }
const WIDTHS = [132, 50, 60, 110, 110, 70]

function drawTableSection(doc: Pdf, heading: string, columns: PdfColumn[], rows: string[][]): void {
  ensureSpace(doc, 70)
  write(doc, heading, { x: EDGE, y: doc.y + 14, size: 12, bold: true, tag: 'H2' })
  doc.y += 4
  drawTable(doc, columns, rows, { size: 9, row: 16 })
}

function drawFigureSection(doc: Pdf, heading: string, figures: ReturnType<typeof totalFigures>): void {
  ensureSpace(doc, 90)
  write(doc, heading, { x: EDGE, y: doc.y + 14, size: 12, bold: true, tag: 'H2' })
  if (figures.length === 0) write(doc, 'No shifts took place.', { ...soft, y: doc.y + 4 })
  else writeFigures(doc, figures, doc.y + 8, 22)
}

const bookedColumns = pdfColumns(['Market', 'Delivered', 'State'], [132, 230, INNER - 362], 3)

const dayColumns = pdfColumns(['Day', 'Shifts', ...MARKET_TITLES.slice(2)], WIDTHS)

function drawDays(doc: Pdf, { markets }: CampaignReport): void {
  for (const { name, days } of markets.filter((market) => market.days.length > 0)) {
    ensureSpace(doc, 70)
    write(doc, `${name} by day`, { x: EDGE, y: doc.y + 14, size: 11, bold: true, tag: 'H2' })
    doc.y += 4
    const rows = days.map((day) => {
      const { hours, miles, plays, verified } = dayText(day)
      return [formatFullDay(day.day), String(day.shifts ?? '–'), hours, miles, plays, verified]
    })
    drawTable(doc, dayColumns, rows, { size: 8.5, row: 14 })
  }
}

/** The report as a PDF, with the numbers of the mail and of the CSV file. */
export async function reportPdf(report: CampaignReport, { brand, now, csvSha256 }: Printing): Promise<Buffer> {
  const title = reportTitle(report)
  const doc = openReport(title, { brand, now, language: 'en' })
  const content = buffer(doc)
  startTags(doc)
  drawHeading(doc, brand, report.program)
  write(doc, [report.client, occasionText(report)].join(' · '), { ...soft, y: doc.y + 4, size: 10.5 })
  const span = spanFigures(report)
  if (span) drawFigureSection(doc, occasionText(report), span)
  drawFigureSection(doc, span ? 'Since the start' : 'In total', totalFigures(report))
  const rows = marketRows(report)
  if (rows.length > 1) drawTableSection(doc, 'By market', pdfColumns(MARKET_TITLES, WIDTHS), rows)
  const booked = bookedRows(report).map(({ market, delivered, state }) => [market, delivered, state])
  if (booked.length > 0) drawTableSection(doc, 'Booked and delivered', bookedColumns, booked)
  drawDays(doc, report)
  drawOrigin(doc, report, csvSha256)
  drawFooters(doc, title, 'en')
  doc.end()
  return content
}

function drawOrigin(doc: Pdf, { page }: CampaignReport, csvSha256: string): void {
  ensureSpace(doc, 60)
  doc.y += 14
  write(doc, `SHA-256 of the CSV file: ${csvSha256}`, { ...soft, size: 8, y: doc.y, width: INNER })
  if (!page) return
  write(doc, `Proof of play, version ${page.version}: ${page.url}`, { ...soft, size: 8, y: doc.y + 2, link: page.url })
  write(doc, `SHA-256 of version ${page.version}: ${page.sha256}`, { ...soft, size: 8, y: doc.y + 2 })
}
