import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Cell, type ColumnKind, columnKinds, formatOfKind, widthOfKind } from './columns.ts'

export type { Cell } from './columns.ts'

/** The most rows a worksheet can hold. */
export const MAX_SHEET_ROWS = 1_048_576
// Longer texts and names make Excel repair the file.
const MAX_TEXT = 32_767
const MAX_SHEET_NAME = 31

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// Styles of cells: 0 is plain, 1 the bold of the heading row, and then one for each kind of column.
const HEADING_STYLE = 1
const styleOf = (kind: ColumnKind | undefined) => (kind ? columnKinds.indexOf(kind) + HEADING_STYLE + 1 : 0)
// Numbers below this one are formats that every spreadsheet knows.
const FIRST_FORMAT = 164

const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
const cellStyle = (format: number, font: number, fill: number) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="${format ? 1 : 0}" applyFont="${font}" applyFill="${fill ? 1 : 0}"/>`

/** Strict readers want the first two fills to be "none" and "gray125", as Excel writes them. */
function stylesXml(): string {
  const formats = columnKinds.map(
    (kind, index) => `<numFmt numFmtId="${FIRST_FORMAT + index}" formatCode="${escape(formatOfKind(kind))}"/>`,
  )
  const styles = [
    cellStyle(0, 0, 0),
    cellStyle(0, 1, 2),
    ...columnKinds.map((_, index) => cellStyle(FIRST_FORMAT + index, 0, 0)),
  ]
  return [
    `<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>`,
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE8ECF1"/><bgColor indexed="64"/></patternFill></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('')
}

const fixedParts = (): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="r3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': stylesXml(),
})

/** Excel finds the filter row by this hidden name too. */
const workbookXml = (title: string, filtered: string) => {
  const name = `&apos;${escape(title.replaceAll("'", "''"))}&apos;`
  const [from = '', to = from] = filtered.split(':').map((cell) => cell.replace(/^([A-Z]+)(\d+)$/, '$$$1$$$2'))
  return [
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews>`,
    `<sheets><sheet name="${escape(title)}" sheetId="1" r:id="r1"/><sheet name="about" sheetId="2" r:id="r2"/></sheets>`,
    `<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${name}!${from}:${to}</definedName>`,
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">${name}!$1:$1</definedName></definedNames></workbook>`,
  ].join('')
}

function escape(text: string): string {
  // XML 1.0 has no way to write most control characters, nor half of a surrogate pair.
  const printable = text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    // Readers take _x0041_ for the letter A.
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
  return printable.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** A, B, …, Z, AA, AB, … */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
const columnNames = Array.from({ length: 100 }, (_, index) => columnName(index))
const nameOf = (column: number) => columnNames[column] ?? columnName(column)

// Not every reader counts cells by itself, so each one says where it stands.
function cellXml(cell: Cell, reference: string, style: number): string {
  const start = style === 0 ? `<c r="${reference}"` : `<c r="${reference}" s="${style}"`
  if (typeof cell === 'number') return Number.isFinite(cell) ? `${start}><v>${cell}</v></c>` : `${start}/>`
  if (cell === null || cell === '') return `${start}/>`
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escape(cell.slice(0, MAX_TEXT))}</t></is></c>`
}

/** How a sheet looks: the kinds and widths of its columns, and whether its first row is a heading. */
interface SheetLook {
  kinds: readonly (ColumnKind | undefined)[]
  widths: readonly number[]
  hasHeading: boolean
}

function sheetHead({ widths, hasHeading }: SheetLook): string {
  const pane =
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>'
  const view = hasHeading ? ` tabSelected="1" workbookViewId="0">${pane}</sheetView>` : ' workbookViewId="0"/>'
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const cols = columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${view}</sheetViews><sheetFormatPr defaultRowHeight="15"/>${cols}<sheetData>`
}

interface SheetRows {
  rows: AsyncIterable<Cell[]> | Iterable<Cell[]>
  look: SheetLook
  /** Gets the cells that a filter covers, once they are known. */
  onFiltered?: (cells: string) => void
}

async function* sheetXml({ rows, look, onFiltered }: SheetRows): AsyncGenerator<string> {
  yield sheetHead(look)
  const styles = look.kinds.map(styleOf)
  let chunk = ''
  let number = 0
  for await (const row of rows) {
    number++
    const isHeading = look.hasHeading && number === 1
    chunk += `<row r="${number}">`
    row.forEach((cell, column) => {
      chunk += cellXml(cell, `${nameOf(column)}${number}`, isHeading ? HEADING_STYLE : (styles[column] ?? 0))
    })
    chunk += '</row>'
    if (chunk.length > 32_768) {
      yield chunk
      chunk = ''
    }
  }
  const filtered = `A1:${nameOf(Math.max(look.widths.length - 1, 0))}${Math.max(number, 1)}`
  onFiltered?.(filtered)
  yield `${chunk}</sheetData>${look.hasHeading ? `<autoFilter ref="${filtered}"/>` : ''}</worksheet>`
}

// The button of the filter covers a part of the heading.
const FILTER_BUTTON = 4
const MIN_WIDTH = 8
const MAX_WIDTH = 60
const MAX_SUMMARY_WIDTH = 120
const MEASURED_ROWS = 100

const longestLine = (cell: Cell): number =>
  cell === null
    ? 0
    : Math.max(
        ...String(cell)
          .split('\n')
          .map(({ length }) => length),
      )

/** Widths that show the headings and the first rows whole. */
function widthsOf(rows: readonly Cell[][], kinds: readonly (ColumnKind | undefined)[]): number[] {
  const [headings = [], ...others] = rows
  return headings.map((heading, column) => {
    const kind = kinds[column]
    const content = kind ? widthOfKind(kind) : Math.max(0, ...others.map((row) => longestLine(row[column] ?? null) + 1))
    return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, longestLine(heading) + FILTER_BUTTON, content))
  })
}

/** Takes the first rows of a table, to measure them. */
async function takeRows(iterator: AsyncIterator<Cell[]>): Promise<Cell[][]> {
  const first: Cell[][] = []
  while (first.length <= MEASURED_ROWS) {
    const next = await iterator.next()
    if (next.done) break
    first.push(next.value)
  }
  return first
}

async function* tableXml(
  table: AsyncIterable<Cell[]>,
  kinds: readonly (ColumnKind | undefined)[],
  onFiltered: (cells: string) => void,
): AsyncGenerator<string> {
  const iterator = table[Symbol.asyncIterator]()
  async function* rows(first: readonly Cell[][]) {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  try {
    const first = await takeRows(iterator)
    const look = { kinds, widths: widthsOf(first, kinds), hasHeading: true }
    yield* sheetXml({ rows: rows(first), look, onFiltered })
  } finally {
    // A reader that goes away half-way also ends the reading of the table.
    await iterator.return?.()
  }
}

async function* summaryXml(lines: readonly string[]): AsyncGenerator<string> {
  const width = Math.min(MAX_SUMMARY_WIDTH, Math.max(MIN_WIDTH, ...lines.map(longestLine)))
  yield* sheetXml({ rows: lines.map((line) => [line]), look: { kinds: [], widths: [width], hasHeading: false } })
}

/** A workbook of one table and a sheet about it, written as its rows come: nothing is held in memory. */
export function writeXlsx(
  title: string,
  table: AsyncIterable<Cell[]>,
  summary: () => string[],
  kinds: readonly (ColumnKind | undefined)[] = [],
): Readable {
  const name = title
    .replace(/[\\/?*[\]:]/g, ' ')
    .slice(0, MAX_SHEET_NAME)
    .trim()
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  for (const [part, xml] of Object.entries(fixedParts())) zip.addBuffer(Buffer.from(HEAD + xml), part)
  const sheets: Readable[] = []
  const add = (part: string, xml: () => AsyncGenerator<string>) =>
    zip.addReadStreamLazy(part, (done) => {
      const sheet = Readable.from(xml(), { objectMode: false })
      sheets.push(sheet)
      // The reader may have gone away before this sheet's turn.
      if (output.destroyed) sheet.destroy()
      else done(null, sheet)
    })
  let filtered = 'A1'
  add('xl/worksheets/sheet1.xml', () => tableXml(table, kinds, (cells) => void (filtered = cells)))
  // Written after the table, when the number of its rows is known.
  add('xl/worksheets/sheet2.xml', () => summaryXml(summary()))
  add('xl/workbook.xml', async function* () {
    yield HEAD + workbookXml(name, filtered)
  })
  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => sheets.forEach((sheet) => sheet.destroy()))
  zip.end()
  return output
}
