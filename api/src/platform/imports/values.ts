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
