import type { Readable } from 'node:stream'
import {
  formatDistance,
  type InspectedLine,
  type Inspection,
  inspectionResultLabel,
  issueStatusLabel,
  repairLabel,
} from '@roadshow/contract'
import PDFDocument from 'pdfkit'
import { toPdfCharset } from '../../platform/pdf/charset.ts'
import { color, EDGE, ensureSpace, heightOf, INNER, PAGE, type Pdf, write } from '../../platform/pdf/sheet.ts'

const text = { size: 9.5 }
const small = { size: 8, fill: color.soft }
const RESULT_X = 190
const NOTE_X = 280
const NOTE_WIDTH = INNER - NOTE_X

interface Printing {
  brand: string
  now: Date
}

/** A driver vehicle inspection report as a PDF: what was inspected, defects, signature and certified repairs. */
export function inspectionPdf(inspection: Inspection, { brand, now }: Printing): Readable {
  const { truck, shift } = inspection
  const title = `Driver vehicle inspection report, truck ${truck.name}, ${shift.date}`
  const doc: Pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margins: { top: 44, bottom: PAGE.height - 736, left: EDGE, right: EDGE },
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: toPdfCharset(title), Author: toPdfCharset(brand), CreationDate: now, ModDate: now },
  })
  drawHead(doc, inspection, brand)
  drawLines(doc, inspection)
  drawSignature(doc, inspection)
  drawFooters(doc, `${brand} · ${title}`)
  doc.end()
  return doc
}

/** With the year, because a report is read long after. */
const when = (at: string, zone: string) =>
  new Date(at).toLocaleString('en-US', {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })

function factsOf(inspection: Inspection): [string, string][] {
  const { truck, driver, shift, place, at, zone, phoneAt, receivedAt, isLate } = inspection
  return [
    [
      'Truck',
      [truck.name, truck.plate && `plate ${truck.plate}`, truck.vin && `VIN ${truck.vin}`].filter(Boolean).join(', '),
    ],
    ['Driver', driver.name],
    ['Inspected', when(at, zone)],
    ...(phoneAt
      ? [['Phone’s clock', `${when(phoneAt, zone)}, which was wrong and has been corrected`] as [string, string]]
      : []),
    ...(isLate ? [['Received', `${when(receivedAt, zone)}, sent later`] as [string, string]] : []),
    [
      'Place',
      place
        ? `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}, accurate to ${formatDistance(place.accuracyM)}`
        : 'Not known to the phone',
    ],
    ['Shift', `${shift.program}, ${shift.market}, ${shift.date}`],
  ]
}

function drawHead(doc: Pdf, inspection: Inspection, brand: string): void {
  write(doc, brand, { x: EDGE, y: 44, size: 9, bold: true, fill: color.amber })
  write(doc, 'Driver vehicle inspection report', { x: EDGE, y: 58, size: 20, bold: true })
  doc.y += 6
  for (const [label, value] of factsOf(inspection)) {
    const { y } = doc
    write(doc, label, { x: EDGE, y, ...text, fill: color.soft, width: 100 })
    write(doc, value, { x: EDGE + 104, y, ...text, width: INNER - 104 })
    doc.y = y + Math.max(14, heightOf(doc, value, { ...text, width: INNER - 104 }) + 2)
  }
  const { defects } = inspection
  const sum = defects === 0 ? 'No defects found.' : `${defects} ${defects === 1 ? 'defect' : 'defects'} found.`
  write(doc, sum, { x: EDGE, y: doc.y + 10, size: 12, bold: true })
}

const drawRule = (doc: Pdf, y: number) =>
  doc
    .moveTo(EDGE, y)
    .lineTo(EDGE + INNER, y)
    .lineWidth(0.5)
    .stroke(color.line)

/** The remarks of a line: the driver's note, and what became of the defect. */
function remarksOf({ note, issue, repair }: InspectedLine, zone: string): string {
  const certified = repair
    ? `${repairLabel[repair.outcome]}, certified by ${repair.by}, ${when(repair.at, zone)}${repair.note ? `: ${repair.note}` : ''}`
    : issue && `Repair not certified yet (issue: ${issueStatusLabel[issue.status].toLowerCase()})`
  return [note, certified].filter(Boolean).join('\n')
}

function drawLines(doc: Pdf, { lines, zone }: Inspection): void {
  doc.y += 8
  drawRule(doc, doc.y)
  for (const line of lines) {
    const remarks = remarksOf(line, zone)
    const tall = Math.max(
      heightOf(doc, line.name, { ...text, width: RESULT_X - 8 }),
      heightOf(doc, remarks, { ...text, width: NOTE_WIDTH }),
    )
    ensureSpace(doc, tall + 8)
    const y = doc.y + 4
    const isDefect = line.result === 'defect'
    write(doc, line.name, { x: EDGE, y, ...text, bold: isDefect, width: RESULT_X - 8 })
    write(doc, inspectionResultLabel[line.result], { x: EDGE + RESULT_X, y, ...text, bold: isDefect, width: 86 })
    if (remarks) write(doc, remarks, { x: EDGE + NOTE_X, y, ...text, width: NOTE_WIDTH })
    doc.y = y + tall + 4
    drawRule(doc, doc.y)
  }
}

const LAW =
  'Made in the form of 49 CFR 396.11. Whether that rule applies to this vehicle and trip is the operator’s to know.'

function drawSignature(doc: Pdf, { signedBy, at, zone }: Inspection): void {
  ensureSpace(doc, 70)
  write(doc, 'Signed by the driver', { x: EDGE, y: doc.y + 16, ...small })
  write(doc, signedBy, { x: EDGE, y: doc.y + 2, size: 13, bold: true })
  write(doc, `Typed on the driver’s phone, ${when(at, zone)}`, { x: EDGE, y: doc.y + 2, ...small })
  write(doc, LAW, { x: EDGE, y: doc.y + 10, ...small })
}

function drawFooters(doc: Pdf, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  const y = PAGE.height - 40
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Text below the margin would add a page.
    doc.page.margins.bottom = 0
    drawRule(doc, y - 6)
    write(doc, title, { x: EDGE, y, ...small, width: 420 })
    write(doc, `Page ${page - start + 1} of ${count}`, {
      x: PAGE.width - EDGE - 100,
      y,
      ...small,
      width: 100,
      align: 'right',
    })
  }
}
