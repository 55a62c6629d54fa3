import { addDays, readDay, type Reading } from '@roadshow/contract'
import type { ZodType } from 'zod'
import { nameKey } from '../runtime/name-key.ts'
import type { ReadCell, ReadRow } from './read-rows.ts'

/** A cell that is checked by the schema of its field. */
export const bySchema =
  (schema: ZodType): ReadCell<unknown> =>
  (text) => {
    const { data, error } = schema.safeParse(text)
    return error ? { problem: error.issues[0]?.message ?? 'Not valid.' } : { value: data }
  }

// Spreadsheets count days. These are January 1, 2000 and the end of 2099.
const [FIRST_SERIAL, LAST_SERIAL] = [36_526, 73_050]
const SERIAL = /^(\d{5})(?:\.0+)?$/
const NO_TIME = /[ T]0{1,2}:00(:00(\.0+)?)?( ?am)?Z?$/i

/** Reads a day of a spreadsheet. */
export function readDate(text: string): Reading<string> {
  const serial = Number(SERIAL.exec(text)?.[1])
  if (serial >= FIRST_SERIAL && serial <= LAST_SERIAL) return { value: addDays('1899-12-30', serial) }
  return readDay(text.replace(NO_TIME, ''))
}

/** A cell that names a record. */
export const named =
  <Names>(noun: string, find: (names: Names) => ReadonlyMap<string, string>): ReadCell<Names> =>
  (name, names) => {
    const uid = find(names).get(nameKey(name))
    return uid === undefined ? { problem: `${noun} ${name} not found.` } : { value: uid }
  }

/**
 * What rows say of their record: the first value that is not empty. Null where the column is there and empty in each,
 * undefined where the file does not have it.
 */
export function valueOf(rows: readonly ReadRow[], column: string): unknown {
  const values = rows.map((row) => row.values[column]).filter((value) => value !== undefined)
  return values.find((value) => value !== null) ?? (values.length > 0 ? null : undefined)
}

/** The same where an empty cell says nothing, either. */
export const filledOr = <T>(rows: readonly ReadRow[], column: string, otherwise: T): T =>
  (valueOf(rows, column) as T | null | undefined) ?? otherwise

/** The same where an empty cell clears the field, and a column that is not there leaves what was saved. */
export function valueOr<T>(rows: readonly ReadRow[], column: string, { saved, empty }: { saved: T; empty: T }): T {
  const given = valueOf(rows, column) as T | null | undefined
  if (given === undefined) return saved
  return given ?? empty
}
