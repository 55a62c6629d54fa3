import type { Readable } from 'node:stream'
import {
  type PayAdjustment,
  type PayLine,
  payOptionLabel,
  payPeriodStateLabel,
  type PayStatement,
  shiftStatusLabel,
} from '@roadshow/contract'
import PDFDocument from 'pdfkit'
import { toPdfCharset } from '../../platform/pdf/charset.ts'
import {
  color,
  EDGE,
  heightOf,
  INNER,
  ensureSpace,
  PAGE,
  type Pdf,
  write,
  writeFigures,
} from '../../platform/pdf/sheet.ts'
import { hoursOf } from './rules.ts'

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
  { title: 'Hours', x: 62, width: 66 },
  { title: 'Truck and program', x: 130, width: 168 },
  { title: 'Planned', x: 300, width: 58 },
  { title: 'Worked', x: 360, width: 58 },
  { title: 'Paid as', x: 420, width: 58 },
  { title: 'Amount', x: 478, width: INNER - 478, align: 'right' },
]

const text = { size: 9 }
const small = { size: 7.5, fill: color.soft }

/** A driver's pay of some days as a PDF that reads well on paper. */
export function statementPdf(statement: PayStatement, brand: string, now: Date): Readable {
  const { driver, from, to } = statement
  const doc: Pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margins: { top: 44, bottom: PAGE.height - 736, left: EDGE, right: EDGE },
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: toPdfCharset(`Pay of ${driver.name}, ${from} to ${to}`),
      Author: toPdfCharset(brand),
      CreationDate: now,
      ModDate: now,
    },
  })
  drawHead(doc, statement, brand)
  drawLines(doc, statement.lines)
  drawAdjustments(doc, statement.adjustments)
  drawSum(doc, statement)
  drawOvertime(doc, statement)
  drawFeet(doc, `${brand} · ${driver.name} · ${from} to ${to}`, now)
  doc.end()
  return doc
}

function drawHead(doc: Pdf, { driver, from, to, figures, period, periods }: PayStatement, brand: string): void {
  write(doc, brand, { x: EDGE, y: 44, size: 9, bold: true, fill: color.amber })
  write(doc, 'Pay statement', { x: EDGE, y: 58, size: 20, bold: true })
  const id = driver.payrollId === '' ? '' : ` (${driver.payrollId})`
  write(doc, `${driver.name}${id}`, { x: EDGE, y: doc.y + 4, size: 12 })
  const state = period ? payPeriodStateLabel[period.state] : periods.length > 0 ? 'Partly settled' : 'Open'
  const still = state === 'Approved' || state === 'Locked' ? '' : ': these figures can still change'
  write(doc, `${from} to ${to} · ${state}${still}`, { x: EDGE, y: doc.y + 2, size: 10, fill: color.soft })
  const shifts = figures.halfDay + figures.eightHours + figures.twelveHours
  writeFigures(
    doc,
    [
      { value: dollars(figures.cents), unit: 'in all' },
      { value: String(shifts), unit: shifts === 1 ? 'paid shift' : 'paid shifts' },
      { value: hoursOf(figures.actualMinutes), unit: 'worked' },
      { value: dollars(figures.adjustmentCents), unit: 'adjustments' },
    ],
    doc.y + 14,
    18,
  )
}

const ruleAt = (doc: Pdf, y: number) =>
  doc
    .moveTo(EDGE, y)
    .lineTo(EDGE + INNER, y)
    .lineWidth(0.5)
    .stroke(color.line)

function drawTitles(doc: Pdf): void {
  const y = doc.y + 10
  for (const { title, x, width, align = 'left' } of columns)
    write(doc, title, { x: EDGE + x, y, ...small, width, align })
  ruleAt(doc, y + 12)
  doc.y = y + 14
}

const wordsOf = (line: PayLine): string[] => [
  line.date,
  `${line.start}–${line.end}`,
  `${line.truck} · ${line.program} · ${line.market}`,
  hoursOf(line.plannedMinutes),
  line.actualMinutes === null ? '–' : hoursOf(line.actualMinutes),
  isPaid(line) && line.option ? payOptionLabel[line.option] : shiftStatusLabel[line.status],
  dollars(line.cents),
]

/** What is to be said of a shift below its numbers: why it is not paid, or who decided how it is. */
const remarkOf = ({ unpaid, override }: PayLine): string =>
  unpaid || (override?.option ? `${payOptionLabel[override.option]} by ${override.by}: ${override.note}` : '')

function drawLines(doc: Pdf, lines: readonly PayLine[]): void {
  if (lines.length === 0) {
    write(doc, 'No shifts in these days.', { x: EDGE, y: doc.y + 14, size: 10, fill: color.soft })
    return
  }
  drawTitles(doc)
  for (const line of lines) {
    const words = wordsOf(line)
    const remark = remarkOf(line)
    const tall = Math.max(...words.map((word, at) => heightOf(doc, word, { ...text, width: columns[at]?.width ?? 0 })))
    const below = heightOf(doc, remark, { ...small, width: INNER - 130 })
    const pages = doc.bufferedPageRange().count
    ensureSpace(doc, tall + below + 8)
    if (doc.bufferedPageRange().count > pages) drawTitles(doc)
    const y = doc.y + 3
    const fill = isPaid(line) ? color.ink : color.soft
    words.forEach((word, at) => {
      const { x = 0, width = 0, align = 'left' } = columns[at] ?? {}
      write(doc, word, { x: EDGE + x, y, ...text, width, align, fill })
    })
    if (remark !== '') write(doc, remark, { x: EDGE + 130, y: y + tall, ...small, width: INNER - 130 })
    ruleAt(doc, y + tall + below + 3)
    doc.y = y + tall + below + 3
  }
}

function drawAdjustments(doc: Pdf, adjustments: readonly PayAdjustment[]): void {
  if (adjustments.length === 0) return
  ensureSpace(doc, 50)
  write(doc, 'Adjustments', { x: EDGE, y: doc.y + 14, size: 11, bold: true })
  doc.y += 4
  for (const { date, note, cents, shift } of adjustments) {
    const said = shift ? `${note} (for the shift of ${shift.date}, ${shift.truck})` : note
    const tall = heightOf(doc, said, { ...text, width: 400 })
    ensureSpace(doc, tall + 6)
    const y = doc.y + 2
    write(doc, date, { x: EDGE, y, ...text, width: 60 })
    write(doc, dollars(cents), { x: EDGE + 478, y, ...text, width: INNER - 478, align: 'right' })
    write(doc, said, { x: EDGE + 62, y, ...text, width: 400 })
    doc.y = y + tall + 2
  }
}

function drawSum(doc: Pdf, { figures }: PayStatement): void {
  ensureSpace(doc, 60)
  ruleAt(doc, doc.y + 6)
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
      plannedMinutes > 0 ? ` ${hoursOf(plannedMinutes)} of them as planned, because nobody reported them.` : ''
    const said =
      `Week from ${from} to ${to}: ${hoursOf(minutes)} worked, ${hoursOf(overtimeMinutes)} over the limit.${unknown} ` +
      `At half of the regular rate (29 CFR 778.112) that is ${dollars(owedCents)}. For information; not part of the total.`
    ensureSpace(doc, heightOf(doc, said, { size: 8.5 }) + 8)
    write(doc, said, { x: EDGE, y: doc.y + 6, size: 8.5, fill: color.soft })
  }
}

function drawFeet(doc: Pdf, whose: string, now: Date): void {
  const { start, count } = doc.bufferedPageRange()
  const y = PAGE.height - 40
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // What is written down here must not open a page of its own.
    doc.page.margins.bottom = 0
    ruleAt(doc, y - 6)
    write(doc, `${whose} · printed ${now.toISOString().slice(0, 10)}`, { x: EDGE, y, ...small, width: 400 })
    const number = `page ${page - start + 1} of ${count}`
    write(doc, number, { x: PAGE.width - EDGE - 100, y, ...small, width: 100, align: 'right' })
  }
}
