import type { Readable } from 'node:stream'
import {
  DEFAULT_ZONE,
  formatClock,
  formatDay,
  formatDays,
  formatMiles,
  formatMinutes,
  localDay,
  type PayAdjustment,
  payDecisionLabel,
  type PayLine,
  payOptionLabel,
  payPeriodStateLabel,
  type PayStatement,
  shiftStatusLabel,
} from '@roadshow/contract'
import { drawFooters, drawHeading, drawRule, openReport, type Printing } from '../../platform/pdf/report.ts'
import { color, EDGE, heightOf, INNER, ensureSpace, type Pdf, write, writeFigures } from '../../platform/pdf/sheet.ts'

const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const isPaid = ({ unpaid }: PayLine) => unpaid === ''

interface Column {
  title: string
  x: number
  width: number
  align?: 'right'
}

const columns: Column[] = [
  { title: 'Day', x: 0, width: 60 },
  { title: 'Scheduled', x: 62, width: 84 },
  { title: 'Truck and program', x: 148, width: 150 },
  { title: 'Planned', x: 300, width: 58 },
  { title: 'Worked', x: 360, width: 58 },
  { title: 'Paid as', x: 420, width: 58 },
  { title: 'Amount', x: 478, width: INNER - 478, align: 'right' },
]

const text = { size: 9 }
const small = { size: 7.5, fill: color.soft }

/** The pay statement of a driver as a PDF. */
export function statementPdf(statement: PayStatement, printing: Printing): Readable {
  const { brand, now } = printing
  const { driver, from, to } = statement
  const doc = openReport(`Pay statement of ${driver.name}, ${formatDays(from, to)}`, printing)
  drawHead(doc, statement, brand)
  drawLines(doc, statement.lines)
  drawAdjustments(doc, statement.adjustments)
  drawSum(doc, statement)
  drawOvertime(doc, statement)
  const printed = formatDay(localDay(DEFAULT_ZONE, now.getTime()))
  drawFooters(doc, `${brand} · ${driver.name} · ${formatDays(from, to)} · Printed ${printed}`)
  doc.end()
  return doc
}

function drawHead(doc: Pdf, { driver, from, to, figures, period, periods }: PayStatement, brand: string): void {
  drawHeading(doc, brand, 'Pay statement')
  const id = driver.payrollId === '' ? '' : ` (${driver.payrollId})`
  write(doc, `${driver.name}${id}`, { x: EDGE, y: doc.y + 4, size: 12 })
  const state = period ? payPeriodStateLabel[period.state] : periods.length > 0 ? 'Partly settled' : 'Open'
  const hint = state === 'Approved' || state === 'Locked' ? '' : ' (figures can still change)'
  write(doc, `${formatDays(from, to)} · ${state}${hint}`, { x: EDGE, y: doc.y + 2, size: 10, fill: color.soft })
  const shifts = figures.halfDay + figures.eightHours + figures.twelveHours
  writeFigures(
    doc,
    [
      { value: dollars(figures.cents), unit: 'total' },
      { value: String(shifts), unit: shifts === 1 ? 'paid shift' : 'paid shifts' },
      { value: formatMinutes(figures.actualMinutes), unit: 'worked' },
      { value: formatMiles(figures.metres), unit: 'driven' },
      { value: dollars(figures.adjustmentCents), unit: 'adjustments' },
    ],
    doc.y + 14,
    18,
  )
}

function drawTitles(doc: Pdf): void {
  const y = doc.y + 10
  for (const { title, x, width, align = 'left' } of columns)
    write(doc, title, { x: EDGE + x, y, ...small, width, align })
  drawRule(doc, y + 12)
  doc.y = y + 14
}

function paidAs(line: PayLine): string {
  if (isPaid(line) && line.option) return payOptionLabel[line.option]
  return line.status === 'completed' ? 'Not paid' : shiftStatusLabel[line.status]
}

const cellsOf = (line: PayLine): string[] => [
  formatDay(line.date),
  `${formatClock(line.start)} – ${formatClock(line.end)}`,
  `${line.truck} · ${line.program} · ${line.market}`,
  formatMinutes(line.plannedMinutes),
  line.actualMinutes === null ? '–' : formatMinutes(line.actualMinutes),
  paidAs(line),
  dollars(line.cents),
]

/** The remark below a shift: why it is not paid, and what payroll decided. */
function remarkOf({ unpaid, override }: PayLine): string {
  const word = override?.option
    ? payOptionLabel[override.option]
    : override?.decision && payDecisionLabel[override.decision]
  const decided = override && word ? `${word}, ${override.by}: ${override.note}` : ''
  return [unpaid, decided].filter(Boolean).join(' ')
}

function drawLines(doc: Pdf, lines: readonly PayLine[]): void {
  if (lines.length === 0) {
    write(doc, 'No shifts on these days.', { x: EDGE, y: doc.y + 14, size: 10, fill: color.soft })
    return
  }
  drawTitles(doc)
  for (const line of lines) {
    const cells = cellsOf(line)
    const remark = remarkOf(line)
    const tall = Math.max(...cells.map((cell, at) => heightOf(doc, cell, { ...text, width: columns[at]?.width ?? 0 })))
    const below = heightOf(doc, remark, { ...small, width: INNER - 148 })
    const pages = doc.bufferedPageRange().count
    ensureSpace(doc, tall + below + 8)
    if (doc.bufferedPageRange().count > pages) drawTitles(doc)
    const y = doc.y + 3
    const fill = isPaid(line) ? color.ink : color.soft
    cells.forEach((cell, at) => {
      const { x = 0, width = 0, align = 'left' } = columns[at] ?? {}
      write(doc, cell, { x: EDGE + x, y, ...text, width, align, fill })
    })
    if (remark !== '') write(doc, remark, { x: EDGE + 148, y: y + tall, ...small, width: INNER - 148 })
    drawRule(doc, y + tall + below + 3)
    doc.y = y + tall + below + 3
  }
}

function drawAdjustments(doc: Pdf, adjustments: readonly PayAdjustment[]): void {
  if (adjustments.length === 0) return
  ensureSpace(doc, 50)
  write(doc, 'Adjustments', { x: EDGE, y: doc.y + 14, size: 11, bold: true })
  doc.y += 4
  for (const { date, note, cents, shift } of adjustments) {
    const said = shift ? `${note} (for the shift on ${formatDay(shift.date)}, ${shift.truck})` : note
    const tall = heightOf(doc, said, { ...text, width: 400 })
    ensureSpace(doc, tall + 6)
    const y = doc.y + 2
    write(doc, formatDay(date), { x: EDGE, y, ...text, width: 60 })
    write(doc, dollars(cents), { x: EDGE + 478, y, ...text, width: INNER - 478, align: 'right' })
    write(doc, said, { x: EDGE + 62, y, ...text, width: 400 })
    doc.y = y + tall + 2
  }
}

function drawSum(doc: Pdf, { figures }: PayStatement): void {
  ensureSpace(doc, 60)
  drawRule(doc, doc.y + 6)
  let y = doc.y + 12
  for (const [word, cents, bold] of [
    ['Shifts', figures.shiftCents, false],
    ['Adjustments', figures.adjustmentCents, false],
    ['Total', figures.cents, true],
  ] as const) {
    write(doc, word, { x: EDGE + 372, y, size: 10, bold, width: 110 })
    write(doc, dollars(cents), { x: EDGE + 462, y, size: 10, bold, width: INNER - 462, align: 'right' })
    y += 15
  }
  doc.y = y
}

function drawOvertime(doc: Pdf, { weeks }: PayStatement): void {
  for (const { from, to, minutes, overtimeMinutes, owedCents, plannedMinutes } of weeks) {
    const unknown =
      plannedMinutes > 0
        ? ` ${formatMinutes(plannedMinutes)} of them are planned hours, because actual hours are unknown.`
        : ''
    const said =
      `Week ${formatDays(from, to)}: ${formatMinutes(minutes)} worked, ${formatMinutes(overtimeMinutes)} over the limit.${unknown} ` +
      `At half the regular rate (29 CFR 778.112), ${dollars(owedCents)} is owed. For information only; not part of the total.`
    ensureSpace(doc, heightOf(doc, said, { size: 8.5 }) + 8)
    write(doc, said, { x: EDGE, y: doc.y + 6, size: 8.5, fill: color.soft })
  }
}
