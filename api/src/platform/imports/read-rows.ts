import type { Reading } from '@roadshow/contract'
import type { ChosenTable } from '../spreadsheet/table-file.ts'

export type Cells = Record<string, string>

/** A row of a file, read without looking at other rows. */
export interface ReadRow {
  row: number
  cells: Cells
  /** What was understood: null for an empty cell, nothing for a column that the file does not have. */
  values: Readonly<Record<string, unknown>>
  problems: Cells
}

/** Reads the cell of a column; other cells of its row can decide what it means. */
export type ReadCell<Names> = (text: string, names: Names, cells: Cells) => Reading<unknown>

/** A cell that is taken as it is; the schema of the form checks it. */
export const asText: ReadCell<unknown> = (text) => ({ value: text })

export interface RowReading<Names> {
  columns: Readonly<Record<string, ReadCell<Names>>>
  required: readonly string[]
  /** Where problems of whole rows are shown. */
  mainColumn: string
}

export const FORMULA = 'This is a formula. Copy the cell and paste it as a value.'

/** Reads every row of a file, one by one. */
export function readRows<Names>(table: ChosenTable, reading: RowReading<Names>, names: Names): ReadRow[] {
  const known = table.columns.map((column) => [column, reading.columns[column]] as const)
  return table.rows.map(({ row, cells: given, formulas = [], beyond }) => {
    const cells = given as Cells
    const problems: Cells = Object.fromEntries(formulas.map((column) => [column, FORMULA]))
    if (beyond) problems[reading.mainColumn] = `This row has more cells than the header row: ${beyond}.`
    const values: Record<string, unknown> = {}
    for (const [column, read] of known) {
      const text = cells[column]
      if (!read || problems[column] !== undefined) continue
      if (text === undefined) {
        values[column] = null
        continue
      }
      const found = read(text, names, cells)
      if ('value' in found) values[column] = found.value
      else problems[column] = found.problem
    }
    for (const column of reading.required) if (cells[column] === undefined) problems[column] ??= 'Required.'
    return { row, cells, values, problems }
  })
}
