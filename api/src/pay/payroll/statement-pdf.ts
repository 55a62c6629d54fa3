import type { Readable } from 'node:stream'
import {
  formatClocks,
  formatDollars,
  formatDay,
  formatDays,
  formatMiles,
  formatMinutes,
  type Language,
  localDay,
  type PayAdjustment,
  type PayLine,
  type PayStatement,
} from '@roadshow/contract'
import { drawFooters, drawHeading, drawRule, openReport, type Printing } from '../../platform/pdf/report.ts'
import { color, EDGE, heightOf, INNER, ensureSpace, type Pdf, write, writeFigures } from '../../platform/pdf/sheet.ts'
import { type StatementWords, statementWords } from './statement-words.ts'

const isPaid = ({ unpaid }: PayLine) => unpaid === ''

interface Column {
  x: number
  width: number
  align?: 'right'
}

const REMARK_X = 160
const columns: Column[] = [
  { x: 0, width: 58 },
  { x: 60, width: 98 },
  { x: REMARK_X, width: 138 },
  { x: 300, width: 58 },
  { x: 360, width: 58 },
  { x: 420, width: 58 },
  { x: 478, width: INNER - 478, align: 'right' },
]

/** The language of a statement, its words and its days. */
interface Speech {
  words: StatementWords
  language: Language
  day: (day: string) => string
  days: (from: string, to: string) => string
}

const speechIn = (language: Language): Speech => ({
  words: statementWords[language],
  language,
  day: (day) => formatDay(day, language),
  days: (from, to) => formatDays(from, to, language),
})

const text = { size: 9 }
const small = { size: 7.5, fill: color.soft }

interface StatementPrinting extends Printing {
  /** The zone of the office, for the day on which it was printed. */
  zone: string
}

/** The pay statement of a driver as a PDF. */
export function statementPdf(statement: PayStatement, printing: StatementPrinting): Readable {
  const { brand, now, language, zone } = printing
  const { driver, from, to } = statement
  const speech = speechIn(language)
  const { words, day, days } = speech
  const doc = openReport(words.title(driver.name, days(from, to)), printing)
  drawHead(doc, statement, brand, speech)
  drawLines(doc, statement.lines, speech)
  drawAdjustments(doc, statement.adjustments, speech)
  drawSum(doc, statement, words)
  drawOvertime(doc, statement, speech)
  const printed = words.printed(day(localDay(zone, now.getTime())))
  drawFooters(doc, `${brand} · ${driver.name} · ${days(from, to)} · ${printed}`, language)
  doc.end()
  return doc
}

function drawHead(doc: Pdf, statement: PayStatement, brand: string, { words, days }: Speech): void {
  const { driver, from, to, figures, period, periods } = statement
  drawHeading(doc, brand, words.heading)
  const id = driver.payrollId === '' ? '' : ` (${driver.payrollId})`
  write(doc, `${driver.name}${id}`, { x: EDGE, y: doc.y + 4, size: 12 })
  const state = period ? period.state : periods.length > 0 ? 'partly' : 'open'
  const hint = state === 'approved' || state === 'locked' ? '' : words.canChange
  write(doc, `${days(from, to)} · ${words.states[state]}${hint}`, { x: EDGE, y: doc.y + 2, size: 10, fill: color.soft })
  const shifts = figures.halfDay + figures.eightHours + figures.twelveHours
  writeFigures(
    doc,
    [
      { value: formatDollars(figures.cents), unit: words.total },
      { value: String(shifts), unit: words.paidShifts(shifts) },
      { value: formatMinutes(figures.actualMinutes), unit: words.worked },
      { value: formatMiles(figures.metres), unit: words.driven },
      { value: formatDollars(figures.adjustmentCents), unit: words.adjustments },
      ...(figures.undecided > 0
        ? [{ value: String(figures.undecided), unit: words.undecided(figures.undecided) }]
        : []),
    ],
    doc.y + 14,
    18,
  )
}

function drawTitles(doc: Pdf, { columns: titles }: StatementWords): void {
  const y = doc.y + 10
  for (const [at, { x, width, align = 'left' }] of columns.entries())
    write(doc, titles[at] ?? '', { x: EDGE + x, y, ...small, width, align })
  drawRule(doc, y + 12)
  doc.y = y + 14
}

function paidAs(line: PayLine, { options, notPaid, statuses }: StatementWords): string {
  if (isPaid(line) && line.option) return options[line.option]
  return line.status === 'completed' ? notPaid : statuses[line.status]
}

const cellsOf = (line: PayLine, { words, language, day }: Speech): string[] => [
  day(line.date),
  formatClocks(line, language),
  `${line.truck} · ${line.program} · ${line.market}`,
  formatMinutes(line.plannedMinutes),
  line.actualMinutes === null ? '–' : formatMinutes(line.actualMinutes),
  paidAs(line, words),
  formatDollars(line.cents),
]

/** The remark below a shift: why it is not paid, and what payroll decided. */
function remarkOf(line: PayLine, { options, decisions, unpaid }: StatementWords): string {
  const { override } = line
  const word = override?.option ? options[override.option] : override?.decision && decisions[override.decision]
  const decided = override && word ? `${word}, ${override.by}: ${override.note}` : ''
  return [unpaid(line), decided].filter(Boolean).join(' ')
}

function drawLines(doc: Pdf, lines: readonly PayLine[], speech: Speech): void {
  const { words } = speech
  if (lines.length === 0) {
    write(doc, words.noShifts, { x: EDGE, y: doc.y + 14, size: 10, fill: color.soft })
    return
  }
  drawTitles(doc, words)
  for (const line of lines) {
    const cells = cellsOf(line, speech)
    const remark = remarkOf(line, words)
    const tall = Math.max(...cells.map((cell, at) => heightOf(doc, cell, { ...text, width: columns[at]?.width ?? 0 })))
    const below = heightOf(doc, remark, { ...small, width: INNER - REMARK_X })
    const pages = doc.bufferedPageRange().count
    ensureSpace(doc, tall + below + 8)
    if (doc.bufferedPageRange().count > pages) drawTitles(doc, words)
    const y = doc.y + 3
    const fill = isPaid(line) ? color.ink : color.soft
    cells.forEach((cell, at) => {
      const { x = 0, width = 0, align = 'left' } = columns[at] ?? {}
      write(doc, cell, { x: EDGE + x, y, ...text, width, align, fill })
    })
    if (remark !== '') write(doc, remark, { x: EDGE + REMARK_X, y: y + tall, ...small, width: INNER - REMARK_X })
    drawRule(doc, y + tall + below + 3)
    doc.y = y + tall + below + 3
  }
}

function drawAdjustments(doc: Pdf, adjustments: readonly PayAdjustment[], { words, day }: Speech): void {
  if (adjustments.length === 0) return
  ensureSpace(doc, 50)
  write(doc, words.sums.adjustments, { x: EDGE, y: doc.y + 14, size: 11, bold: true })
  doc.y += 4
  for (const { date, note, cents, shift } of adjustments) {
    const said = shift ? words.forShift(note, day(shift.date), shift.truck) : note
    const tall = heightOf(doc, said, { ...text, width: 400 })
    ensureSpace(doc, tall + 6)
    const y = doc.y + 2
    write(doc, day(date), { x: EDGE, y, ...text, width: 60 })
    write(doc, formatDollars(cents), { x: EDGE + 478, y, ...text, width: INNER - 478, align: 'right' })
    write(doc, said, { x: EDGE + 62, y, ...text, width: 400 })
    doc.y = y + tall + 2
  }
}

function drawSum(doc: Pdf, { figures }: PayStatement, { sums }: StatementWords): void {
  ensureSpace(doc, 60)
  drawRule(doc, doc.y + 6)
  let y = doc.y + 12
  const rows: [label: string, cents: number][] = [
    [sums.shifts, figures.shiftCents],
    [sums.adjustments, figures.adjustmentCents],
    ...(figures.paidOvertimeCents === 0 ? [] : [[sums.overtime, figures.paidOvertimeCents] satisfies [string, number]]),
    [sums.total, figures.cents],
  ]
  for (const [label, cents] of rows) {
    const bold = label === sums.total
    write(doc, label, { x: EDGE + 372, y, size: 10, bold, width: 110 })
    write(doc, formatDollars(cents), { x: EDGE + 462, y, size: 10, bold, width: INNER - 462, align: 'right' })
    y += 15
  }
  doc.y = y
}

function drawOvertime(doc: Pdf, { weeks }: PayStatement, { words, days }: Speech): void {
  for (const week of weeks) {
    const unknown = week.plannedMinutes > 0 ? words.plannedOnly(week.plannedMinutes) : ''
    const said = words.overtime(days(week.from, week.to), week, unknown, formatDollars(week.owedCents))
    ensureSpace(doc, heightOf(doc, said, { size: 8.5 }) + 8)
    write(doc, said, { x: EDGE, y: doc.y + 6, size: 8.5, fill: color.soft })
  }
}
