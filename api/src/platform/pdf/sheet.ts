import type PDFDocument from 'pdfkit'
import { toPdfCharset } from './charset.ts'
import { type Tag, tagOptions } from './tags.ts'

export type Pdf = InstanceType<typeof PDFDocument>

/** Letter, in points. */
export const PAGE = { width: 612, height: 792 }
export const EDGE = 40
export const INNER = PAGE.width - 2 * EDGE
/** Content ends here; the footer of the page is below. */
export const BOTTOM = PAGE.height - 56

/** A part of a page. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const color = {
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

interface TextStyle {
  size: number
  bold?: boolean
  fill?: string
  width?: number
  align?: 'left' | 'right' | 'center'
  gap?: number
  link?: string
  /** What kind of part it is in a tagged document. */
  tag?: Tag
}

/** A text's style, and the point at which its first line begins. */
interface PlacedText extends TextStyle {
  x: number
  y: number
}

function applyStyle(doc: Pdf, text: string, { size, bold = false, fill = color.ink, gap = 0, ...more }: TextStyle) {
  doc
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(fill)
  const { width = INNER, align = 'left', link } = more
  return { text: toPdfCharset(text), options: { width, align, lineGap: gap, ...(link !== undefined && { link }) } }
}

/** Writes a text with as many lines as it needs; afterwards `doc.y` is where it ends. */
export function write(doc: Pdf, content: string, { x, y, tag = 'P', ...style }: PlacedText): void {
  const { text, options } = applyStyle(doc, content, style)
  doc.text(text, x, y, { ...options, ...(text.trim() !== '' && tagOptions(doc, tag)) })
}

/** The height that a text takes; an empty text takes none. */
export function heightOf(doc: Pdf, content: string, style: TextStyle): number {
  const { text, options } = applyStyle(doc, content, style)
  return content === '' ? 0 : doc.heightOfString(text, options)
}

const SMALLEST_SIZE = 8

/** Writes one line, in a smaller size where it would be wider than its width. */
export function writeFitting(doc: Pdf, text: string, placed: PlacedText & { width: number }): void {
  let { size } = placed
  applyStyle(doc, text, placed)
  while (size > SMALLEST_SIZE && doc.fontSize(size).widthOfString(toPdfCharset(text)) > placed.width) size -= 0.5
  write(doc, text, { ...placed, size })
}

/** Adds a page where the current one has less than this height left. */
export function ensureSpace(doc: Pdf, height: number): void {
  if (doc.y + height > BOTTOM) doc.addPage()
}

export interface PdfFigure {
  value: string
  unit: string
  /** A detail below the unit. */
  note?: string
}

/** Writes numbers side by side, each with its unit and its note below. */
export function writeFigures(doc: Pdf, figures: readonly PdfFigure[], top: number, size: number): void {
  const width = INNER / figures.length
  figures.forEach(({ value, unit, note = '' }, index) => {
    const x = EDGE + index * width
    writeFitting(doc, value, { x, y: top, size, bold: true, width: width - 8 })
    write(doc, unit, { x, y: top + size + 3, size: 8.5, fill: color.soft, width: width - 8 })
    if (note) write(doc, note, { x, y: top + size + 14, size: 8.5, fill: color.soft, width: width - 8 })
  })
  doc.y = top + size + (figures.some(({ note }) => note) ? 29 : 18)
}
