import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type Cell = string | number | null

/** The most rows a worksheet can hold. */
export const MAX_SHEET_ROWS = 1_048_576

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const parts = (title: string): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="r3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escape(title)}" sheetId="1" r:id="r1"/><sheet name="about" sheetId="2" r:id="r2"/></sheets></workbook>`,
  // Style 1 is the bold of the heading row.
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
})

function escape(text: string): string {
  // XML 1.0 has no way to write most control characters.
  // oxlint-disable-next-line no-control-regex
  const printable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return printable.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** A, B, …, Z, AA, AB, … */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
const columnNames = Array.from({ length: 100 }, (_, index) => columnName(index))

// Not every reader counts cells by itself, so each one says where it stands.
function cellXml(cell: Cell, column: number, row: number): string {
  const start = `<c r="${columnNames[column] ?? columnName(column)}${row}"`
  if (cell === null || cell === '') return `${start}/>`
  if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`
  return `${start}${row === 1 ? ' s="1"' : ''} t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
}

async function* sheetXml(rows: AsyncIterable<Cell[]> | Iterable<Cell[]>, freeze: boolean): AsyncGenerator<string> {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${freeze ? pane : ''}</sheetView></sheetViews><sheetData>`
  let chunk = ''
  let number = 0
  for await (const row of rows) {
    number++
    chunk += `<row r="${number}">${row.map((cell, column) => cellXml(cell, column, number)).join('')}</row>`
    if (chunk.length > 32_768) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}</sheetData></worksheet>`
}

/** A workbook of one table and a sheet about it, written as its rows come: nothing is held in memory. */
export function writeXlsx(title: string, table: AsyncIterable<Cell[]>, summary: () => string[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  for (const [name, xml] of Object.entries(parts(title))) zip.addBuffer(Buffer.from(HEAD + xml), name)
  const sheets: Readable[] = []
  const add = (name: string, xml: () => AsyncGenerator<string>) =>
    zip.addReadStreamLazy(name, (done) => {
      const sheet = Readable.from(xml(), { objectMode: false })
      sheets.push(sheet)
      // The reader may have gone away before this sheet's turn.
      if (output.destroyed) sheet.destroy()
      else done(null, sheet)
    })
  add('xl/worksheets/sheet1.xml', () => sheetXml(table, true))
  // Written after the table, when the number of its rows is known.
  add('xl/worksheets/sheet2.xml', () =>
    sheetXml(
      summary().map((line) => [line]),
      false,
    ),
  )
  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => sheets.forEach((sheet) => sheet.destroy()))
  zip.end()
  return output
}
