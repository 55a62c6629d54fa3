import type { ExportFormat, Page } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { Db } from '../db/connection.ts'
import type { ListQuery } from '../db/records/records.ts'
import type { Scope } from '../db/records/scope.ts'
import type { Download } from '../http/download.ts'
import { exportSheet, type Sheet } from './sheet.ts'
import { MAX_SHEET_ROWS } from './xlsx.ts'

interface Listed<Row, Query> {
  page(db: Db, scope: Scope, query: Query): Promise<Page<Row>>
  stream(db: Db, scope: Scope, query: Query): AsyncIterable<Row>
}

interface Exported<Row, Query> extends Sheet<Row> {
  /** What the query asked for, in words. */
  filters: (db: Db, scope: Scope, query: Query) => Promise<string[]>
}

/** A page as JSON, or with `format` all of its rows as a file. */
export async function listOrExport<Row, Query extends ListQuery & { format?: ExportFormat | undefined }>(
  { db, scope, query }: { db: Db; scope: Scope; query: Query },
  list: Listed<Row, Query>,
  sheet: Exported<Row, Query>,
): Promise<Page<Row> | Download> {
  if (!query.format) return list.page(db, scope, query)
  if (query.format === 'xlsx') {
    const { total } = await list.page(db, scope, { ...query, page: 1, pageSize: 1 })
    if (total >= MAX_SHEET_ROWS) throw new AppError('tooManyRows')
  }
  const filters = [
    ...(query.search ? [`search: ${query.search}`] : []),
    ...(await sheet.filters(db, scope, query)),
    ...(query.sort ? [`sorted by ${query.sort}`] : []),
  ]
  return exportSheet(query.format, sheet, list.stream(db, scope, query), { filters, zone: 'UTC', now: new Date() })
}

/** The names of the records that a filter asks for, as an export states them. */
export async function namesOf(
  of: { findMany(db: Db, scope: Scope, uids: readonly string[]): Promise<({ name: string } | undefined)[]> },
  db: Db,
  scope: Scope,
  uids: string[],
): Promise<string> {
  const found = await of.findMany(db, scope, uids)
  return found.map((record) => record?.name ?? 'unknown').join(', ')
}
