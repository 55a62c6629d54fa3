import { utils, write } from 'xlsx'

interface OfficeTable {
  name: string
  /** Stands above the columns, in merged cells. */
  title: string
  /** The headings, then the records; an empty row stays empty. */
  rows: readonly (readonly (string | number)[])[]
}

/** A table as an office keeps it, to be chosen in a form: a merged title, a blank row, the headings, records with gaps between. */
export function officeTable({ name, title, rows }: OfficeTable) {
  const width = Math.max(...rows.map((row) => row.length))
  const lines = [[title], [], ...rows.map((row) => [...row])]
  if (name.endsWith('.csv')) {
    const quoted = (cell: string | number) => `"${String(cell).replaceAll('"', '""')}"`
    const text = lines.map((line) => Array.from({ length: width }, (_, at) => quoted(line[at] ?? '')).join(','))
    return { name, mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${text.join('\r\n')}\r\n`) }
  }
  const sheet = utils.aoa_to_sheet(lines)
  sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: width - 1 } }]
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Sheet1')
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name, mimeType, buffer: write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer }
}
