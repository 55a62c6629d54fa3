import { type ImportColumns, MAX_TABLE_ROWS } from '@roadshow/contract'
import { decoderTasks } from '../decoding/decoder.ts'
import { sourceOf } from '../decoding/task-file.ts'
import type { ReceivedFile } from '../http/multipart.ts'
import { AppError } from '../runtime/app-error.ts'
import type * as tasks from './table-tasks.js'

/** A row of an uploaded table: its number in the spreadsheet, and the cells of the known columns. */
export interface TableRow<Column extends string> {
  row: number
  cells: Partial<Record<Column, string>>
  /** Cells that are computed; what they show may be old. */
  formulas?: Column[]
  /** What stands to the right of all titles, as where text with commas is not in quotes. */
  beyond?: string
}

export interface Table<Column extends string> {
  /** The known columns that the file has. */
  columns: Column[]
  /** Titles of columns that are not known. */
  ignored: string[]
  /** Titles of columns that name the same as an earlier one. */
  repeated: string[]
  rows: TableRow<Column>[]
}

/** The columns that people chose by hand for the headings of a file. */
export interface ColumnChoices {
  /** For this file; for each heading a column or null. */
  given?: readonly (string | null)[] | undefined
  /** For earlier files, by the key of their headings. */
  remembered: Readonly<Record<string, readonly (string | null)[]>>
}

/** A table whose columns can be chosen by hand. */
export interface ChosenTable<Column extends string = string> extends Table<Column> {
  /** The row of the headings. */
  headerRow: number
  headingsKey: string
  headings: { title: string; column: Column | null; example: string }[]
}

type Refusal = 'badInput' | 'tooLarge' | 'unreadableTable'
/** The refusal of a whole file. */
export const tableRefusal = (code: Refusal, text: string) => new AppError(code, { text, fields: { file: text } })

const task = decoderTasks<typeof tasks>(new URL('./table-tasks.js', import.meta.url), {
  goesFirst: true,
})

/** Reads a CSV or XLSX file in which a row names the columns, in whichever of their spellings. */
export const openTable = async <Column extends string>(
  file: ReceivedFile,
  columns: ImportColumns<Column>,
): Promise<Table<Column>> => JSON.parse(await readTable(file, { columns })) as Table<Column>

/** The same where headings can be given columns by hand; a file whose headings name none has no rows. */
export const openChosenTable = async (
  file: ReceivedFile,
  columns: ImportColumns<string>,
  choices: ColumnChoices,
): Promise<ChosenTable> => JSON.parse(await readTable(file, { columns, choices })) as ChosenTable

async function readTable(
  file: ReceivedFile,
  input: { columns: ImportColumns<string>; choices?: ColumnChoices },
): Promise<string> {
  try {
    return await task('readTable', { ...input, mostRows: MAX_TABLE_ROWS }, sourceOf(file.content))
  } catch (error) {
    throw error instanceof AppError ? asTableRefusal(error) : error
  }
}

/** A refused file is reported at its field of the form. A file that exceeds a limit of the decoder is too large. */
function asTableRefusal(error: AppError): AppError {
  const { code, message } = error
  if (code === 'fileRefused') return tableRefusal('tooLarge', `${message} CSV takes less memory than XLSX.`)
  if (code === 'badInput' || code === 'tooLarge' || code === 'unreadableTable') return tableRefusal(code, message)
  return error
}

export const readTableRows = async <Column extends string>(file: ReceivedFile, columns: ImportColumns<Column>) =>
  (await openTable(file, columns)).rows
