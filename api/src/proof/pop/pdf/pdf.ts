import { PassThrough, type Readable } from 'node:stream'
import type { PopDocument } from '@roadshow/contract'
import PDFDocument from 'pdfkit'
import { drawChapter } from './chapter.ts'
import { drawCover } from './cover.ts'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'
import type { ReadPicture } from './photos.ts'
import { color, EDGE, ensureSpace, PAGE, type Pdf, write } from '../../../platform/pdf/sheet.ts'

interface Printing {
  readPicture: ReadPicture
  /** The hash of the version's text. */
  sha256: string
  /** The public page, as people type it. */
  link: string
}

const SHORT_HASH = 16

/**
 * A version as a PDF. The same version gives the same bytes: nothing of the moment at which it is made gets in.
 * Pictures are read as fast as the PDF is.
 */
export function popPdf(document: PopDocument, printing: Printing): Readable {
  const publishedAt = new Date(document.publishedAt)
  const doc: Pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margins: { top: 44, bottom: PAGE.height - 736, left: EDGE, right: EDGE },
    // Only when all are drawn it is known how many there are.
    bufferPages: true,
    autoFirstPage: true,
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
  draw(doc, document, printing, () => taken(out)).catch((error: unknown) => out.destroy(error as Error))
  return out
}

/** Waits until what was drawn so far has been taken, so that pictures are not read ahead of their reader. */
async function taken(out: PassThrough): Promise<void> {
  while (out.writableNeedDrain && !out.destroyed) {
    await new Promise<void>((resolve) => {
      const go = () => {
        out.off('drain', go).off('close', go)
        resolve()
      }
      out.on('drain', go).on('close', go)
    })
  }
  if (out.destroyed) throw new Error('Nobody reads this PDF any more.')
}

async function draw(doc: Pdf, document: PopDocument, printing: Printing, pace: () => Promise<void>): Promise<void> {
  await drawCover(doc, document, printing.readPicture)
  for (const chapter of document.chapters) await drawChapter(doc, chapter, printing.readPicture, pace)
  drawOrigin(doc, document, printing)
  drawFeet(doc, document, printing)
  doc.end()
}

/** What somebody needs who wants to check it. */
function drawOrigin(doc: Pdf, { version, publishedAt, milesAlgorithm }: PopDocument, { sha256, link }: Printing): void {
  ensureSpace(doc, 130)
  const soft = { size: 8.5, fill: color.soft, gap: 2 }
  write(doc, 'How these numbers are made', { x: EDGE, y: doc.y + 14, size: 11, bold: true })
  write(
    doc,
    `Miles come from the trucks’ GPS trackers and odometers (method ${milesAlgorithm}); a parked truck counts none. ` +
      'Hours run from start to stop of each shift. Plays are those that the players on the trucks logged; one is ' +
      'verified if the truck’s own tracker, which the player does not know of, puts it in the market at that second. ' +
      'A photo is verified if time and place in the camera’s file agree with the tracker. Routes are cut off near depots.',
    EDGE,
    doc.y + 4,
    soft,
  )
  write(
    doc,
    `Version ${version}, published ${publishedAt.slice(0, 19).replace('T', ' ')} UTC. It never changes. ` +
      `The SHA-256 of its text, which can be downloaded from the page, is ${sha256}.`,
    EDGE,
    doc.y + 4,
    soft,
  )
  write(doc, link, { x: EDGE, y: doc.y + 4, ...soft, fill: color.amber, link })
}

/** On every page: which version this is, its hash, where it is published, and which page of how many. */
function drawFeet(doc: Pdf, { brand, client, program, version }: PopDocument, { sha256, link }: Printing): void {
  const { start, count } = doc.bufferedPageRange()
  const y = PAGE.height - 40
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // What is written down here must not open a page of its own.
    doc.page.margins.bottom = 0
    doc
      .moveTo(EDGE, y - 6)
      .lineTo(PAGE.width - EDGE, y - 6)
      .lineWidth(0.5)
      .stroke(color.line)
    const small = { size: 7.5, fill: color.soft }
    const whose = `${brand} · ${client}: ${program}`
    oneLine(doc, whose, EDGE, y, 400)
    write(doc, `page ${page - start + 1} of ${count}`, {
      x: PAGE.width - EDGE - 100,
      y,
      ...small,
      width: 100,
      align: 'right',
    })
    const said = `version ${version} · SHA-256 ${sha256.slice(0, SHORT_HASH)}…`
    write(doc, said, { x: EDGE, y: y + 10, ...small, width: 240 })
    write(doc, link, {
      x: EDGE + 200,
      y: y + 10,
      ...small,
      fill: color.amber,
      width: PAGE.width - 2 * EDGE - 200,
      align: 'right',
      link,
    })
  }
}

function oneLine(doc: Pdf, text: string, x: number, y: number, width: number): void {
  doc
    .font('Helvetica')
    .fontSize(7.5)
    .fillColor(color.soft)
    .text(toPdfCharset(text), x, y, { width, height: 8, ellipsis: true, lineBreak: true })
}
