import { PassThrough, type Readable } from 'node:stream'
import type { PopDocument } from '@roadshow/contract'
import { drawChapter } from './chapter.ts'
import { drawCover } from './cover.ts'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'
import { openPdf } from '../../../platform/pdf/document.ts'
import type { ReadPicture } from './photos.ts'
import { METHOD_TITLE, methodOf, originText } from '../publication/words.ts'
import { color, EDGE, ensureSpace, PAGE, type Pdf, write, writeFitting } from '../../../platform/pdf/sheet.ts'
import { drawOrnament, startTags } from '../../../platform/pdf/tags.ts'
import { drawStory } from './story.ts'

interface Printing {
  readPicture: ReadPicture
  /** The hash of the version's document. */
  sha256: string
  /** The public page, as people type it. */
  link: string
}

/**
 * A version as a PDF. The same version gives the same bytes: it holds no time but that of its publication.
 * Pictures are read only as fast as the PDF is consumed.
 */
export function popPdf(document: PopDocument, printing: Printing): Readable {
  const publishedAt = new Date(document.publishedAt)
  const doc = openPdf({
    size: [PAGE.width, PAGE.height],
    margins: { top: 44, bottom: PAGE.height - 736, left: EDGE, right: EDGE },
    // The footers need the number of pages, known at the end.
    bufferPages: true,
    autoFirstPage: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: toPdfCharset(`${document.client}: ${document.program}`),
      Author: toPdfCharset(document.brand),
      Subject: `Proof of play, version ${document.version}, SHA-256 ${printing.sha256}`,
      CreationDate: publishedAt,
      ModDate: publishedAt,
    },
  })
  const out = new PassThrough()
  doc.pipe(out)
  draw(doc, document, printing, () => drained(out)).catch((error: unknown) => out.destroy(error as Error))
  return out
}

/** Waits until the reader has consumed what was drawn, so that pictures do not pile up in memory. */
async function drained(out: PassThrough): Promise<void> {
  while (out.writableNeedDrain && !out.destroyed) {
    await new Promise<void>((resolve) => {
      const go = () => {
        out.off('drain', go).off('close', go)
        resolve()
      }
      out.on('drain', go).on('close', go)
    })
  }
  if (out.destroyed) throw new Error('The reader of this PDF is gone.')
}

async function draw(doc: Pdf, document: PopDocument, printing: Printing, pace: () => Promise<void>): Promise<void> {
  startTags(doc)
  await drawCover(doc, document, printing.readPicture)
  for (const chapter of document.chapters) {
    await drawChapter(doc, chapter, { publishedAt: document.publishedAt, read: printing.readPicture, pace })
  }
  drawStory(doc, document)
  drawMethod(doc, document, printing)
  drawFooters(doc, document, printing)
  doc.end()
}

/** How the figures are measured, and how a reader checks this version. */
function drawMethod(doc: Pdf, document: PopDocument, { sha256, link }: Printing): void {
  ensureSpace(doc, 210)
  const soft = { x: EDGE, size: 8.5, fill: color.soft, gap: 2 }
  write(doc, METHOD_TITLE, { x: EDGE, y: doc.y + 14, size: 11, bold: true, tag: 'H2' })
  doc.y += 4
  for (const { term, text } of methodOf(document)) write(doc, `${term}: ${text}`, { ...soft, y: doc.y })
  write(doc, `Version ${document.version}`, { x: EDGE, y: doc.y + 8, size: 11, bold: true, tag: 'H2' })
  write(doc, originText(document), { ...soft, y: doc.y + 2 })
  write(doc, `SHA-256 ${sha256}`, { ...soft, y: doc.y + 4 })
  write(doc, link, { ...soft, y: doc.y + 4, fill: color.amber, link })
}

/** Writes the footer of every page: version, whole hash, link and page number. */
function drawFooters(doc: Pdf, document: PopDocument, printing: Printing): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Text below the margin would add a page.
    doc.page.margins.bottom = 0
    const number = `Page ${page - start + 1} of ${count}`
    drawOrnament(doc, () => drawFooter(doc, document, printing, number), 'Pagination')
  }
}

function drawFooter(doc: Pdf, document: PopDocument, { sha256, link }: Printing, number: string): void {
  const y = PAGE.height - 46
  const small = { size: 7.5, fill: color.soft }
  doc
    .moveTo(EDGE, y - 6)
    .lineTo(PAGE.width - EDGE, y - 6)
    .lineWidth(0.5)
    .stroke(color.line)
  writeTruncated(doc, `${document.brand} · ${document.client}: ${document.program}`, y)
  write(doc, number, { ...small, x: PAGE.width - EDGE - 100, y, width: 100, align: 'right' })
  const line = { ...small, x: EDGE, width: PAGE.width - 2 * EDGE }
  write(doc, `Version ${document.version} · SHA-256 ${sha256}`, { ...line, y: y + 10 })
  writeFitting(doc, link, { ...line, y: y + 20, fill: color.amber, link })
}

/** Writes one line of the footer; a longer text ends in an ellipsis. */
function writeTruncated(doc: Pdf, text: string, y: number): void {
  doc
    .font('Helvetica')
    .fontSize(7.5)
    .fillColor(color.soft)
    .text(toPdfCharset(text), EDGE, y, { width: 400, height: 8, ellipsis: true, lineBreak: true })
}
