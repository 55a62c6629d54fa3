import { drawRule } from './report.ts'
import { BOTTOM, color, EDGE, ensureSpace, heightOf, type Pdf, write } from './sheet.ts'
import { drawOrnament, openPart } from './tags.ts'

export interface PdfColumn {
  title: string
  width: number
  align: 'left' | 'right'
}

interface TableStyle {
  size: number
  /** The least height of a row. */
  row: number
  /** Whether a line is drawn below each row. */
  isRuled?: boolean
}

/** Columns by their titles and widths, the first ones on the left side. */
export const pdfColumns = (titles: readonly string[], widths: readonly number[], left = 1): PdfColumn[] =>
  titles.map((title, index) => ({ title, width: widths[index] ?? 0, align: index < left ? 'left' : 'right' }))

const PADDING = 6

/** A table whose head repeats on every page; rows are not split. */
export function drawTable(
  doc: Pdf,
  columns: readonly PdfColumn[],
  rows: readonly (readonly string[])[],
  style: TableStyle,
): void {
  const closeTable = openPart(doc, 'Table')
  const titles = columns.map(({ title }) => title)
  const height = (cells: readonly string[], isHead: boolean) => rowHeight(doc, columns, cells, { ...style, isHead })
  const draw = (cells: readonly string[], isHead: boolean) =>
    drawRow(doc, columns, cells, { ...style, isHead, height: height(cells, isHead) })
  ensureSpace(doc, height(titles, true) + height(rows[0] ?? [], false))
  draw(titles, true)
  for (const cells of rows) {
    if (doc.y + height(cells, false) > BOTTOM) {
      doc.addPage()
      drawOrnament(doc, () => draw(titles, true))
    }
    draw(cells, false)
  }
  closeTable()
}

interface RowStyle extends TableStyle {
  isHead: boolean
}

const cellStyle = ({ size, isHead }: RowStyle, width: number) => ({ size, bold: isHead, width: width - PADDING })

const rowHeight = (doc: Pdf, columns: readonly PdfColumn[], cells: readonly string[], style: RowStyle): number =>
  Math.max(
    style.row,
    ...columns.map(({ width }, index) => heightOf(doc, cells[index] ?? '', cellStyle(style, width)) + 4),
  )

function drawRow(
  doc: Pdf,
  columns: readonly PdfColumn[],
  cells: readonly string[],
  style: RowStyle & { height: number },
): void {
  const { y } = doc
  const closeRow = openPart(doc, 'TR')
  let x = EDGE
  columns.forEach(({ width, align }, index) => {
    const tag = style.isHead || index === 0 ? 'TH' : 'TD'
    const fill = style.isHead ? color.soft : color.ink
    write(doc, cells[index] ?? '', { ...cellStyle(style, width), x, y, align, fill, tag })
    x += width
  })
  closeRow()
  doc.y = y + style.height
  if (style.isRuled) drawOrnament(doc, () => drawRule(doc, doc.y - 5))
}
