import type { Language } from '@roadshow/contract'
import { toPdfCharset } from './charset.ts'
import { openPdf } from './document.ts'
import { BOTTOM, color, EDGE, INNER, PAGE, type Pdf, write } from './sheet.ts'

export interface Printing {
  brand: string
  now: Date
  language: Language
}

const pageNumber: Record<Language, (page: number, pages: number) => string> = {
  en: (page, pages) => `Page ${page} of ${pages}`,
  es: (page, pages) => `Página ${page} de ${pages}`,
}

/** A document of pages with text, its footers to be drawn at the end. */
export const openReport = (title: string, { brand, now, language }: Printing): Pdf =>
  openPdf({
    size: [PAGE.width, PAGE.height],
    margins: { top: 44, bottom: PAGE.height - BOTTOM, left: EDGE, right: EDGE },
    bufferPages: true,
    lang: `${language}-US`,
    displayTitle: true,
    info: { Title: toPdfCharset(title), Author: toPdfCharset(brand), CreationDate: now, ModDate: now },
  })

export function drawHeading(doc: Pdf, brand: string, heading: string): void {
  write(doc, brand, { x: EDGE, y: 44, size: 9, bold: true, fill: color.amber })
  write(doc, heading, { x: EDGE, y: 58, size: 20, bold: true })
}

export const drawRule = (doc: Pdf, y: number) =>
  doc
    .moveTo(EDGE, y)
    .lineTo(EDGE + INNER, y)
    .lineWidth(0.5)
    .stroke(color.line)

/** A line with the title and the number of the page at the foot of every page. */
export function drawFooters(doc: Pdf, title: string, language: Language): void {
  const small = { size: 7.5, fill: color.soft }
  const { start, count } = doc.bufferedPageRange()
  const y = PAGE.height - 40
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Text below the margin would add a page.
    doc.page.margins.bottom = 0
    drawRule(doc, y - 6)
    write(doc, title, { x: EDGE, y, ...small, width: 420 })
    const number = pageNumber[language](page - start + 1, count)
    write(doc, number, { x: PAGE.width - EDGE - 100, y, ...small, width: 100, align: 'right' })
  }
}
