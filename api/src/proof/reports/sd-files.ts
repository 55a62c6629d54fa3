import type { Page, SdResult } from '@roadshow/contract'
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

/** A page of addresses or, with `format`, all of them as a file. */
export async function sdPageOrFile(
  stores: PlayStores,
  scope: Scope,
  query: SdQuery,
): Promise<Page<SdResult> | Download> {
  const { program, zone, ...found } = await loadSdResults(stores, scope, query)
  const { format, search, from, to, sort } = query
  if (!format) return found
  const about = query.market === undefined ? undefined : { program: [query.program], market: [query.market] }
  const market = about && (await namesOfFilters(stores.db, about)).market
  const filters = [
    ...(search ? [`search: ${search}`] : []),
    `program: ${program}`,
    market === undefined ? 'all markets' : `market: ${market}`,
    `from: ${from}`,
    `to: ${to}`,
    ...(sort ? [`sorted by ${sort}`] : []),
  ]
  const filename = exportFileName({
    name: 'sd-report',
    of: [program, ...(market === undefined ? [] : [market])],
    days: [from, to],
  })
  const context = { filters, zone, now: new Date(), filename }
  return exportSheet(format, { name: 'sd-report', columns: sdColumns }, found.data, context)
}
