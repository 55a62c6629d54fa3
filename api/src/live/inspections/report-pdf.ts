import type { Readable } from 'node:stream'
import {
  formatDateTime,
  formatDay,
  formatDistance,
  type InspectedLine,
  type Inspection,
  inspectionResultLabel,
  issueStatusLabel,
  repairLabel,
} from '@roadshow/contract'
import { drawFooters, drawHeading, drawRule, openReport, type Printing } from '../../platform/pdf/report.ts'
import { color, EDGE, ensureSpace, heightOf, INNER, type Pdf, write } from '../../platform/pdf/sheet.ts'

const text = { size: 9.5 }
const small = { size: 8, fill: color.soft }
const RESULT_X = 190
const NOTE_X = 280
const NOTE_WIDTH = INNER - NOTE_X

/** A driver vehicle inspection report as a PDF: what was inspected, defects, signature and certified repairs. */
export function inspectionPdf(inspection: Inspection, printing: Printing): Readable {
  const { truck, shift } = inspection
  const title = `Driver vehicle inspection report, truck ${truck.name}, ${formatDay(shift.date)}`
  const doc = openReport(title, printing)
  drawHead(doc, inspection, printing.brand)
  drawLines(doc, inspection)
  drawSignature(doc, inspection)
  drawFooters(doc, `${printing.brand} · ${title}`, printing.language)
  doc.end()
  return doc
}

function factsOf(inspection: Inspection): [string, string][] {
  const { truck, driver, shift, place, at, zone, phoneAt, receivedAt, isLate } = inspection
  return [
    [
      'Truck',
      [truck.name, truck.plate && `plate ${truck.plate}`, truck.vin && `VIN ${truck.vin}`].filter(Boolean).join(', '),
    ],
    ['Driver', driver.name],
    ['Inspected', formatDateTime(at, zone)],
    ...(phoneAt
      ? [
          ['Phone’s clock', `${formatDateTime(phoneAt, zone)}, which was wrong and has been corrected`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(isLate ? [['Received', `${formatDateTime(receivedAt, zone)}, sent later`] as [string, string]] : []),
    [
      'Place',
      place
        ? `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}, accurate to ${formatDistance(place.accuracyM)}`
        : 'Not known to the phone',
    ],
    ['Shift', `${shift.program}, ${shift.market}, ${formatDay(shift.date)}`],
  ]
}

function drawHead(doc: Pdf, inspection: Inspection, brand: string): void {
  drawHeading(doc, brand, 'Driver vehicle inspection report')
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

/** The remarks of a line: the driver's note, and what became of the defect. */
function remarksOf({ note, issue, repair }: InspectedLine, zone: string): string {
  const certified = repair
    ? `${repairLabel[repair.outcome]}, certified by ${repair.by}, ${formatDateTime(repair.at, zone)}${repair.note ? `: ${repair.note}` : ''}`
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
  'Made in the form of 49 CFR 396.11. The operator decides whether that rule applies to this vehicle and trip.'

function drawSignature(doc: Pdf, { signedBy, at, zone }: Inspection): void {
  ensureSpace(doc, 70)
  write(doc, 'Signed by the driver', { x: EDGE, y: doc.y + 16, ...small })
  write(doc, signedBy, { x: EDGE, y: doc.y + 2, size: 13, bold: true })
  write(doc, `Typed on the driver’s phone, ${formatDateTime(at, zone)}`, { x: EDGE, y: doc.y + 2, ...small })
  write(doc, LAW, { x: EDGE, y: doc.y + 10, ...small })
}
