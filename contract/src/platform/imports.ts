import * as z from './zod.ts'
import type { FileRule } from './endpoint.ts'

/** A table that people keep in a spreadsheet. Systems announce CSV under many names, so the server looks inside. */
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

/** The columns of an import, by what people write above them; the first is how a template calls it. */
export type ImportColumns<Column extends string> = Record<Column, readonly [string, ...string[]]>

/** A row of a file after its check: what stood in it, what is wrong with it, and what a good one stands for. */
export const checkedRow = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    /** As a spreadsheet numbers it: the header is row 1. */
    row: z.int(),
    cells: z.record(z.string(), z.string()),
    /** Column to what is wrong with it; none means that the row is good. */
    problems: z.record(z.string(), z.string()),
    value: value.nullable(),
  })

export interface CheckedRow<T> {
  row: number
  cells: Record<string, string>
  problems: Record<string, string>
  value: T | null
}
