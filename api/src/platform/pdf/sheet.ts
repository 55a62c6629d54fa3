import type PDFDocument from 'pdfkit'
import { inLetters } from './letters.ts'

export type Pdf = InstanceType<typeof PDFDocument>

/** Letter, in points. */
export const PAGE = { width: 612, height: 792 }
export const EDGE = 40
export const INNER = PAGE.width - 2 * EDGE
/** Below it, every page has its foot. */
export const BOTTOM = PAGE.height - 56

export const colour = {
  ink: '#121826',
  soft: '#5B6B82',
  line: '#D9DEE6',
  ground: '#F5F6F8',
  asphalt: '#161D2B',
  amber: '#B86E00',
  headlight: '#FFB224',
  driving: '#1E8E5A',
  paper: '#FFFFFF',
}

interface Style {
  size: number
  bold?: boolean
  fill?: string
  width?: number
  align?: 'left' | 'right' | 'center'
  gap?: number
  link?: string
}

function styled(doc: Pdf, text: string, { size, bold = false, fill = colour.ink, gap = 0, ...more }: Style) {
  doc
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(fill)
  const { width = INNER, align = 'left', link } = more
  return { text: inLetters(text), options: { width, align, lineGap: gap, ...(link !== undefined && { link }) } }
}

/** Writes a text from a place on, as many lines as it needs; where it ends is `doc.y`. */
export function write(doc: Pdf, given: string, x: number, y: number, style: Style): void {
  const { text, options } = styled(doc, given, style)
  doc.text(text, x, y, options)
}

export function heightOf(doc: Pdf, given: string, style: Style): number {
  const { text, options } = styled(doc, given, style)
  return given === '' ? 0 : doc.heightOfString(text, options)
}

/** One line in the largest type up to a size in which it fits. */
export function writeFitting(doc: Pdf, text: string, x: number, y: number, style: Style & { width: number }): void {
  let { size } = style
  styled(doc, text, style)
  while (size > 8 && doc.fontSize(size).widthOfString(inLetters(text)) > style.width) size -= 0.5
  write(doc, text, x, y, { ...style, size })
}

/** Goes to a new page where less than this much is left on the present one. */
export function need(doc: Pdf, height: number): void {
  if (doc.y + height > BOTTOM) doc.addPage()
}

export interface Figure {
  value: string
  unit: string
}

/** Numbers side by side, each with its word below. */
export function writeFigures(doc: Pdf, figures: readonly Figure[], top: number, size: number): void {
  const width = INNER / figures.length
  figures.forEach(({ value, unit }, index) => {
    const x = EDGE + index * width
    writeFitting(doc, value, x, top, { size, bold: true, width: width - 8 })
    write(doc, unit, x, top + size + 3, { size: 8.5, fill: colour.soft, width: width - 8 })
  })
  doc.y = top + size + 18
}
