import type { ImportColumns } from '@roadshow/contract/platform/imports'
import { csvText, downloadText } from './csv.ts'

interface RejectedRow {
  cells: Record<string, string>
  problems: Record<string, string>
}

/** Downloads the rejected rows of a file, each with its problems, so that they can be corrected and imported again. */
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
      [...titles, 'Problem'],
      ...wrong.map((row) => [...Object.keys(columns).map((column) => row.cells[column] ?? ''), reasonsOf(row)]),
    ]),
  )
}
