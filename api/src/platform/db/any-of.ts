import { sql } from 'kysely'

/** `= any($1)`: any number of values travel as one array, so that a statement has one text for all of them. */
export const anyOf = <Value>(values: readonly Value[]) => sql<Value>`any(${values})`
