import { buffer } from 'node:stream/consumers'
import { type ClientMonth, dayText, formatCount, formatDays } from '@roadshow/contract'
import type { MonthReport } from './report.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { drawFooters, drawHeading, openReport } from '../../platform/pdf/report.ts'
import { color, EDGE, ensureSpace, INNER, write, writeFigures } from '../../platform/pdf/sheet.ts'
import { drawTable, pdfColumns } from '../../platform/pdf/table.ts'
import { startTags } from '../../platform/pdf/tags.ts'

type Figures = ClientMonth['total']

export const monthTitle = ({ client, from, to }: Pick<ClientMonth, 'client' | 'from' | 'to'>): string =>
  `${client.name}: report for ${formatDays(from, to)}`

export const fileNameOf = ({ client, from, to }: MonthReport): string =>
  exportFileName({ name: 'monthly-report', of: [client.name], days: [from, to] })

/** The figures in words, as every report of a program writes them. */
export const figureTexts = (figures: Figures) => dayText({ day: '', ...figures })

const columns = pdfColumns(
  ['Program', 'Shifts', 'Hours', 'Miles', 'Plays', 'Verified', 'Photos'],
  [INNER - 352, 48, 60, 70, 60, 64, 50],
)

const cellsOf = (name: string, figures: Figures): string[] => {
  const { hours, miles, plays, verified } = figureTexts(figures)
  return [name, formatCount(figures.shifts), hours, miles, plays, verified, formatCount(figures.photos)]
}

/** The report of a client's month as a PDF. */
export async function monthPdf(report: MonthReport, { brand, now }: { brand: string; now: Date }): Promise<Buffer> {
  const title = monthTitle(report)
  const doc = openReport(title, { brand, now, language: 'en' })
  const content = buffer(doc)
  startTags(doc)
  drawHeading(doc, brand, report.client.name)
  write(doc, formatDays(report.from, report.to), { x: EDGE, y: doc.y + 4, size: 10.5, fill: color.soft })
  const { hours, miles, plays } = figureTexts(report.total)
  writeFigures(
    doc,
    [
      { value: miles, unit: 'miles' },
      { value: plays, unit: 'plays' },
      { value: hours, unit: 'on the street' },
      { value: formatCount(report.total.shifts), unit: report.total.shifts === 1 ? 'shift' : 'shifts' },
      { value: formatCount(report.total.photos), unit: report.total.photos === 1 ? 'photo' : 'photos' },
    ],
    doc.y + 14,
    20,
  )
  ensureSpace(doc, 70)
  write(doc, 'By program', { x: EDGE, y: doc.y + 14, size: 12, bold: true, tag: 'H2' })
  doc.y += 4
  if (report.programs.length === 0) {
    write(doc, 'No program ran in this month.', { x: EDGE, y: doc.y + 4, size: 9, fill: color.soft })
  } else {
    const rows = report.programs.map(({ program, ...figures }) => cellsOf(program.name, figures))
    drawTable(doc, columns, [...rows, cellsOf('Total', report.total)], { size: 9, row: 16 })
  }
  drawFooters(doc, title, 'en')
  doc.end()
  return content
}
