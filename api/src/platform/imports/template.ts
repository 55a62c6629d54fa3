import { type ExportFormat, importDescriptions, type ImportKindName } from '@roadshow/contract'
import { sheetFile } from '../spreadsheet/sheet.ts'

/** A file to fill in: the headings of an import, examples, and the rules for reading it. */
export function importTemplate(kind: ImportKindName, format: ExportFormat) {
  const { columns, examples, rules } = importDescriptions[kind]
  async function* table() {
    yield Object.values(columns).map(([title]) => title)
    for (const example of examples) yield Object.keys(columns).map((column) => example[column] ?? '')
  }
  return sheetFile({ format, title: kind, filename: `${kind}-template`, table: table(), summary: () => [...rules] })
}
