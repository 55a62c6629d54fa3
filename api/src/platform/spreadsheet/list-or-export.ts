import type { ExportFormat, Page } from '@roadshow/contract'
import { AppError } from '../runtime/app-error.ts'
import type { Db } from '../db/connection.ts'
import type { ListQuery } from '../db/records/records.ts'
import type { Scope } from '../db/records/scope.ts'
import type { Download } from '../http/download.ts'
import { exportFileName } from './file-name.ts'
import { localDayOf } from './local-time.ts'
import { exportSheet, ROW_ZONES, type Sheet } from './sheet.ts'
import { MAX_SHEET_ROWS } from './xlsx.ts'

/** A list: its pages, and all of its rows for a file, which may say more of a record. */
export interface Listed<Row, Query, FileRow = Row> {
  page(db: Db, scope: Scope, query: Query): Promise<Page<Row>>
  stream(db: Db, scope: Scope, query: Query): AsyncIterable<FileRow>
}

/** A filter in words. One that names records, such as a market, also stands in the file's name. */
export type ExportFilter = string | { text: string; name: string }

/** A filter by the names of records: `market: Houston, TX`. */
export const filterByName = (label: string, name: string): ExportFilter => ({ text: `${label}: ${name}`, name })

/** How the records of a list become rows of a file. */
export interface ListSheet<Row, Query> extends Sheet<Row> {
  /** What the query asked for, in words. */
  filters: (db: Db, scope: Scope, query: Query) => Promise<ExportFilter[]>
  /**
   * For rows that have zones of their own, and a column that names them: the zone of all rows, where the query leaves
   * one.
   */
  rowZone?: (db: Db, scope: Scope, query: Query) => Promise<string | undefined>
}

interface ExportQuery extends ListQuery {
  format?: ExportFormat | undefined
  /** The zone of the screen that asks: lists show times of records without a market in it. */
  timeZone?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A page as JSON, or with `format` all of its rows as a file. */
export async function listOrExport<Row, Query extends ExportQuery, FileRow = Row>(
  { db, scope, query }: { db: Db; scope: Scope; query: Query },
  list: Listed<Row, Query, FileRow>,
  sheet: ListSheet<FileRow, Query>,
): Promise<Page<Row> | Download> {
  if (!query.format) return list.page(db, scope, query)
  if (query.format === 'xlsx') {
    const { total } = await list.page(db, scope, { ...query, page: 1, pageSize: 1 })
    if (total >= MAX_SHEET_ROWS) throw new AppError('tooManyRows')
  }
  const filters = await sheet.filters(db, scope, query)
  const { timeZone = 'UTC' } = query
  const rowZone = await sheet.rowZone?.(db, scope, query)
  const now = new Date()
  return exportSheet(query.format, sheet, list.stream(db, scope, query), {
    filters: [
      ...(query.search ? [`search: ${query.search}`] : []),
      ...filters.map((filter) => (typeof filter === 'string' ? filter : filter.text)),
      ...(query.sort ? [`sorted by ${query.sort}`] : []),
    ],
    zone: sheet.rowZone ? (rowZone ?? ROW_ZONES) : timeZone,
    now,
    filename: exportFileName({
      name: sheet.name,
      of: filters.flatMap((filter) => (typeof filter === 'string' ? [] : [filter.name])),
      days: daysOf(query, localDayOf(now, rowZone ?? timeZone)),
    }),
  })
}

/** The days that a query asks for, as a file's name says them; without any, today. */
function daysOf({ from, to }: ExportQuery, today: string): string[] {
  if (from !== undefined && to !== undefined) return from === to ? [from] : [from, to]
  if (from !== undefined) return [`from-${from}`]
  return [to === undefined ? today : `until-${to}`]
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
