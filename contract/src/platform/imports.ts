import * as z from './zod.ts'
import type { FileRule } from './endpoint.ts'

/** A spreadsheet file. Systems label CSV with many media types, so the server inspects the content. */
export const TABLE_FILE: FileRule = {
  count: 1,
  bytes: 10 * 1024 * 1024,
  types: [
    'text/csv',
    'text/plain',
    'application/csv',
    'application/vnd.ms-excel',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/octet-stream',
  ],
}
export const MAX_TABLE_ROWS = 20_000

/** The accepted headers of each column of an import; the template uses the first. */
export type ImportColumns<Column extends string> = Record<Column, readonly [string, ...string[]]>

/** A row of a file after its check: its cells, its problems, and the value of a good row. */
export const checkedRow = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    /** The row number of the spreadsheet: the header is row 1. */
    row: z.int(),
    cells: z.record(z.string(), z.string()),
    /** Problems by column; a good row has none. */
    problems: z.record(z.string(), z.string()),
    value: value.nullable(),
  })

export interface CheckedRow<T> {
  row: number
  cells: Record<string, string>
  problems: Record<string, string>
  value: T | null
}
