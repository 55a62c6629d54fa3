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

/** What people read of an import of one kind of record, and what its files look like. */
export interface ImportDescription<Column extends string = string> {
  /** What one record is called, and several. */
  nouns: readonly [one: string, several: string]
  /** The screen of these records. */
  screen: `/${string}`
  columns: ImportColumns<Column>
  /** A file needs these columns. */
  required: readonly NoInfer<Column>[]
  /** Headings of the export that an import leaves as they are: other records decide them. */
  leftOut: readonly string[]
  rules: readonly string[]
  examples: readonly Partial<Record<NoInfer<Column>, string>>[]
}

/** Declares an import; its columns are checked against each other. */
export const importDescription = <const Column extends string>(
  given: ImportDescription<Column>,
): ImportDescription<Column> => given

const cells = z.record(z.string(), z.string())

export const importRowStates = ['new', 'changed', 'same', 'wrong'] as const
const importRowState = z.enum(importRowStates)
export type ImportRowState = z.infer<typeof importRowState>

/** A row of a file with what saving would do with it. */
export const importRow = z.strictObject({
  /** The row number of the spreadsheet. */
  row: z.int(),
  state: importRowState,
  /** Cells by column; readable dates and times in our format. */
  cells,
  /** Problems by column; a good row has none. */
  problems: cells,
  /** Remarks by column: the old value, or an equal row. */
  remarks: cells,
})
export type ImportRow = z.infer<typeof importRow>

export const importCounts = z.strictObject({ new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() })

/** A row of a file after its check: its cells, its problems, and the value of a good row. */
export const checkedRow = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    /** The row number of the spreadsheet: the header is row 1. */
    row: z.int(),
    cells,
    /** Problems by column; a good row has none. */
    problems: cells,
    value: value.nullable(),
  })

export interface CheckedRow<T> {
  row: number
  cells: Record<string, string>
  problems: Record<string, string>
  value: T | null
}
