import { type ExportFormat, type Page, type SdResult, toMiles } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Download } from '../../platform/http/download.ts'
import { exportSheet, formatLocalTime } from '../../platform/spreadsheet/sheet.ts'
import { namesOfFilters, reportFileName } from '../../live/plays/index.ts'
import { type SdQuery, loadSdResults } from './sd.ts'

const sheetColumns = (zone: string) => ({
  Label: (row: SdResult) => row.label,
  Address: (row: SdResult) => row.address,
  Latitude: (row: SdResult) => row.latitude,
  Longitude: (row: SdResult) => row.longitude,
  'Radius (miles)': (row: SdResult) => Math.round(toMiles(row.radiusM) * 100) / 100,
  Approaches: (row: SdResult) => row.approaches,
  Missed: (row: SdResult) => row.missed,
  Plays: (row: SdResult) => row.plays,
  Seconds: (row: SdResult) => row.seconds,
  'Nearest (miles)': (row: SdResult) => row.nearestM && Math.round(toMiles(row.nearestM) * 100) / 100,
  Trucks: (row: SdResult) => row.trucks,
  First: (row: SdResult) => formatLocalTime(row.firstAt, zone),
  Last: (row: SdResult) => formatLocalTime(row.lastAt, zone),
})

async function* streamOf<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows
}

/** Every address that matches a query, as a file. */
async function exportResults(db: Db, scope: Scope, query: SdQuery & { format: ExportFormat }): Promise<Download> {
  const { data, program, zone } = await loadSdResults(db, scope, query, true)
  const { market } = await namesOfFilters(db, query)
  const filters = [
    ...(query.search ? [`search: ${query.search}`] : []),
    `program: ${program}`,
    `market: ${market}`,
    `from: ${query.from}`,
    `to: ${query.to}`,
    ...(query.sort ? [`sorted by ${query.sort}`] : []),
  ]
  const about = { filters, zone, now: new Date(), filename: reportFileName('sd-report', program, query) }
  return exportSheet(query.format, { name: 'sd-report', columns: sheetColumns(zone) }, streamOf(data), about)
}

/** A page of addresses or, with `format`, all of them as a file. */
export async function sdPageOrFile(db: Db, scope: Scope, query: SdQuery): Promise<Page<SdResult> | Download> {
  if (query.format) return exportResults(db, scope, { ...query, format: query.format })
  const { data, page, pageSize, total } = await loadSdResults(db, scope, query)
  return { data, page, pageSize, total }
}
