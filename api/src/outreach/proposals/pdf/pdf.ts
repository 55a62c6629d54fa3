import type { ProposalDocument } from '@roadshow/contract'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'
import { openPdf } from '../../../platform/pdf/document.ts'
import {
  color,
  EDGE,
  ensureSpace,
  heightOf,
  INNER,
  PAGE,
  type Pdf,
  write,
  writeFitting,
} from '../../../platform/pdf/sheet.ts'
import { drawTable, type PdfColumn } from '../../../platform/pdf/table.ts'
import { drawOrnament, startTags } from '../../../platform/pdf/tags.ts'
import type { ReadableProposal } from '../queries.ts'
import {
  acceptanceText,
  ARTWORK_TITLE,
  ESTIMATE_TITLE,
  estimateMethod,
  estimateTexts,
  lineCells,
  lineColumns,
  LINES_TITLE,
  PLACES_TITLE,
  totalText,
  validText,
  programFacts,
} from '../words.ts'
import { drawPlaces } from './places.ts'
import { drawSet } from './truck.ts'

type Printed = Pick<ReadableProposal, 'document' | 'sha256' | 'acceptance'>

/** A proposal as a tagged PDF. The same proposal gives the same bytes: it holds no time but its own. */
export function proposalPdf(proposal: Printed, pictures: ReadonlyMap<string, Buffer>): Pdf {
  const { document, sha256, acceptance } = proposal
  const at = new Date(acceptance?.at ?? document.sentAt)
  const doc = openPdf({
    size: [PAGE.width, PAGE.height],
    margins: { top: 44, bottom: PAGE.height - 736, left: EDGE, right: EDGE },
    // The footers need the number of pages, known at the end.
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: toPdfCharset(`${document.client}: ${document.title}`),
      Author: toPdfCharset(document.brand),
      Subject: `Proposal ${document.number}, SHA-256 ${sha256}`,
      CreationDate: at,
      ModDate: at,
    },
  })
  startTags(doc)
  drawHead(doc, proposal)
  drawLines(doc, document)
  drawParts(doc, document, pictures)
  drawAcceptance(doc, proposal)
  drawFooters(doc, proposal)
  doc.end()
  return doc
}

const TEXT = { size: 10, gap: 2.5 }

function drawHead(doc: Pdf, { document, acceptance }: Printed): void {
  const { brand, client, title, introduction } = document
  const asphalt = 128 + heightOf(doc, title, { size: 28, bold: true })
  drawOrnament(doc, () => doc.rect(0, 0, PAGE.width, asphalt).fill(color.asphalt))
  write(doc, brand, { x: EDGE, y: 20, size: 13, bold: true, fill: color.paper })
  write(doc, 'Proposal', { x: EDGE, y: 22, size: 10, fill: color.headlight, align: 'right' })
  const line = { x: EDGE, size: 13, bold: true, fill: color.headlight, width: INNER }
  writeFitting(doc, `For ${client}`, { ...line, y: 60 })
  write(doc, title, { x: EDGE, y: 80, size: 28, bold: true, fill: color.paper, tag: 'H1' })
  write(doc, programFacts(document).join(' · '), { x: EDGE, y: doc.y + 4, size: 10, fill: '#C9D3E0' })
  const state = acceptance ? acceptanceText(acceptance, document) : validText(document)
  write(doc, state, { x: EDGE, y: asphalt + 16, size: 10, bold: acceptance !== null })
  if (introduction) write(doc, introduction, { ...TEXT, x: EDGE, y: doc.y + 10 })
}

/** A heading that stays with what follows, as far as it has this height. */
function heading(doc: Pdf, title: string, below = 80): void {
  ensureSpace(doc, below)
  write(doc, title, { x: EDGE, y: doc.y + 18, size: 15, bold: true, tag: 'H2' })
  doc.y += 4
}

function drawLines(doc: Pdf, document: ProposalDocument): void {
  heading(doc, LINES_TITLE)
  const titles = lineColumns(document)
  const columns = titles.map((title, index): PdfColumn => ({
    title,
    width: INNER / titles.length,
    align: index === 0 ? 'left' : 'right',
  }))
  const rows = document.lines.map((line) => lineCells(line, document))
  drawTable(doc, columns, rows, { size: 9, row: 19, isRuled: true })
  const total = totalText(document)
  if (total !== undefined) {
    ensureSpace(doc, 20)
    write(doc, `Total ${total}`, { x: EDGE, y: doc.y + 2, size: 11, bold: true, align: 'right', width: INNER - 6 })
  }
}

function drawParts(doc: Pdf, document: ProposalDocument, pictures: ReadonlyMap<string, Buffer>): void {
  const { artwork, places, estimate } = document
  if (artwork.length > 0) heading(doc, ARTWORK_TITLE, 180)
  for (const set of artwork) drawSet(doc, set, pictures)
  if (places.length > 0) heading(doc, PLACES_TITLE, 300)
  for (const group of places) drawPlaces(doc, group)
  if (estimate) drawEstimate(doc, estimate)
}

const estimateColumns: readonly PdfColumn[] = [
  { title: 'Market', width: 140, align: 'left' },
  { title: 'Likely', width: 100, align: 'right' },
  { title: 'Range', width: INNER - 240, align: 'right' },
]

function drawEstimate(doc: Pdf, estimate: NonNullable<ProposalDocument['estimate']>): void {
  heading(doc, ESTIMATE_TITLE)
  const rows = estimate.markets.map((market) => {
    const { likely, note } = estimateTexts(market)
    return [market.market, likely, note]
  })
  drawTable(doc, estimateColumns, rows, { size: 9, row: 19, isRuled: true })
  ensureSpace(doc, 40)
  write(doc, estimateMethod(estimate), { x: EDGE, y: doc.y + 4, size: 8.5, gap: 2, fill: color.soft })
}

/** Who accepted it and when. */
function drawAcceptance(doc: Pdf, { document, acceptance, sha256 }: Printed): void {
  if (!acceptance) return
  heading(doc, 'Acceptance')
  write(doc, acceptanceText(acceptance, document), { ...TEXT, x: EDGE, y: doc.y, bold: true })
  if (acceptance.note) write(doc, acceptance.note, { ...TEXT, x: EDGE, y: doc.y + 4 })
  const record = `This is a record of the name and the time, not a signature. Accepted was the document with SHA-256 ${sha256}.`
  write(doc, record, { x: EDGE, y: doc.y + 4, size: 8.5, gap: 2, fill: color.soft })
}

/** The footer of every page: whose proposal it is, its hash and the number of the page. */
function drawFooters(doc: Pdf, { document, sha256 }: Printed): void {
  const { start, count } = doc.bufferedPageRange()
  const y = PAGE.height - 40
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Text below the margin would add a page.
    doc.page.margins.bottom = 0
    const small = { size: 7.5, fill: color.soft }
    drawOrnament(
      doc,
      () => {
        const whose = `${document.brand} · ${document.client} · Proposal ${document.number}`
        writeFitting(doc, whose, { x: EDGE, y, ...small, width: INNER - 110 })
        const number = `Page ${page - start + 1} of ${count}`
        write(doc, number, { x: PAGE.width - EDGE - 100, y, ...small, width: 100, align: 'right' })
        write(doc, `SHA-256 ${sha256}`, { x: EDGE, y: y + 11, ...small })
      },
      'Pagination',
    )
  }
}
