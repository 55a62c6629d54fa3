import type { QueryResultRow } from 'pg'

/** Runs a statement on the database of the bench. */
export type RunSql = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
