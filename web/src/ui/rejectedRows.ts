import type { ImportColumns } from '@roadshow/contract/platform/imports'
import { csvText, downloadText } from './csv.ts'

interface RejectedRow {
  cells: Record<string, string>
  problems: Record<string, string>
}

/** Hands the wrong rows of a file to the browser, each with its reasons, to be corrected and sent again. */
export function downloadRejectedRows(
  fileName: string,
  columns: ImportColumns<string>,
  wrong: readonly RejectedRow[],
): void {
  const titles = Object.values(columns).map(([title]) => title)
  const reasonsOf = ({ problems }: RejectedRow) =>
    Object.entries(problems)
      .map(([column, text]) => `${columns[column]?.[0] ?? column}: ${text}`)
      .join(' ')
  downloadText(
    `${fileName.replace(/\.\w+$/, '')}-wrong-rows.csv`,
    csvText([
      [...titles, 'What is wrong'],
      ...wrong.map((row) => [...Object.keys(columns).map((column) => row.cells[column] ?? ''), reasonsOf(row)]),
    ]),
  )
}
