import type { ExportFormat, Page, SdResult } from '@roadshow/contract'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Download } from '../../platform/http/download.ts'
import { countColumn, feetColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { exportSheet } from '../../platform/spreadsheet/sheet.ts'
import { namesOfFilters, type PlayStores } from '../../live/plays/index.ts'
import { type SdQuery, loadSdResults } from './sd.ts'

const sdColumns = {
  Label: (row: SdResult) => row.label,
  Address: (row: SdResult) => row.address,
  Latitude: (row: SdResult) => row.latitude,
  Longitude: (row: SdResult) => row.longitude,
  // Feet, because most of these distances are below a tenth of a mile; a column has one unit.
  'Radius (feet)': feetColumn((row: SdResult) => row.radiusM),
  Approaches: countColumn((row: SdResult) => row.approaches),
  Missed: countColumn((row: SdResult) => row.missed),
  Plays: countColumn((row: SdResult) => row.plays),
  Seconds: countColumn((row: SdResult) => row.seconds),
  'Closest (feet)': feetColumn((row: SdResult) => row.nearestM),
  Trucks: countColumn((row: SdResult) => row.trucks),
  First: timeColumn((row: SdResult) => row.firstAt),
  Last: timeColumn((row: SdResult) => row.lastAt),
}

/** Every address that matches a query, as a file. */
async function exportResults(
  stores: PlayStores,
  scope: Scope,
  query: SdQuery & { format: ExportFormat },
): Promise<Download> {
  const { data, program, zone } = await loadSdResults(stores, scope, query, true)
  const { market } = await namesOfFilters(stores.db, query)
  const filters = [
    ...(query.search ? [`search: ${query.search}`] : []),
    `program: ${program}`,
    `market: ${market}`,
    `from: ${query.from}`,
    `to: ${query.to}`,
    ...(query.sort ? [`sorted by ${query.sort}`] : []),
  ]
  const filename = exportFileName({ name: 'sd-report', of: [program, market], days: [query.from, query.to] })
  const about = { filters, zone, now: new Date(), filename }
  return exportSheet(query.format, { name: 'sd-report', columns: sdColumns }, data, about)
}

/** A page of addresses or, with `format`, all of them as a file. */
export async function sdPageOrFile(
  stores: PlayStores,
  scope: Scope,
  query: SdQuery,
): Promise<Page<SdResult> | Download> {
  if (query.format) return exportResults(stores, scope, { ...query, format: query.format })
  const { data, page, pageSize, total } = await loadSdResults(stores, scope, query)
  return { data, page, pageSize, total }
}
