import {
  type DriverHoursRow,
  type ExportFormat,
  formatClock,
  type PlayHourRow,
  type StartsRow,
  type UtilizationRow,
} from '@roadshow/contract'
import { clientRecords } from '../../catalog/clients/index.ts'
import { marketRecords } from '../../catalog/markets/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Download } from '../../platform/http/download.ts'
import { countColumn, dayColumn, hoursColumn } from '../../platform/spreadsheet/columns.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { exportSheet, ROW_ZONES, type Sheet } from '../../platform/spreadsheet/sheet.ts'
import type { ChartQuery } from './queries.ts'

/** A share as a whole percentage; none without a whole. */
const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 100))

const weekColumn = dayColumn((row: { week: string }) => row.week)

export const utilizationSheet: Sheet<UtilizationRow> = {
  name: 'utilization',
  columns: {
    Market: (row) => row.market.name,
    'Week of': weekColumn,
    Shifts: countColumn((row) => row.shifts),
    'Truck-days driven': countColumn((row) => row.driven),
    'Truck-days booked': countColumn((row) => row.booked),
    'Truck-days available': countColumn((row) => row.available),
    'Utilization (%)': countColumn((row) => percent(row.driven + row.booked, row.available)),
  },
}

export const driverHoursSheet: Sheet<DriverHoursRow> = {
  name: 'driver-hours',
  columns: {
    Driver: (row) => row.driver.name,
    'Week of': weekColumn,
    Shifts: countColumn((row) => row.shifts),
    'Worked (hours)': hoursColumn((row) => row.workedMinutes),
    'Planned (hours)': hoursColumn((row) => row.plannedMinutes),
    'Hours together': hoursColumn((row) => row.workedMinutes + row.plannedMinutes),
  },
}

export const startsSheet: Sheet<StartsRow> = {
  name: 'on-time-starts',
  columns: {
    Market: (row) => row.market.name,
    'Week of': weekColumn,
    'On time': countColumn((row) => row.onTime),
    Late: countColumn((row) => row.late),
    'No-show': countColumn((row) => row.noShow),
    'No data': countColumn((row) => row.noData),
    'On time (%)': countColumn((row) => percent(row.onTime, row.onTime + row.late + row.noShow)),
  },
}

export const playHourSheet: Sheet<PlayHourRow> = {
  name: 'plays-by-hour',
  columns: {
    Hour: (row) => formatClock(`${row.hour}:00`),
    Plays: countColumn((row) => row.plays),
    Verified: countColumn((row) => row.verified),
    Unverified: countColumn((row) => row.unverified),
    Conflict: countColumn((row) => row.conflict),
    Seconds: countColumn((row) => row.seconds),
  },
}

interface ChartCall {
  db: Db
  scope: Scope
  query: ChartQuery
}

/** The records that a chart is filtered by: what they are, and their names. */
async function namedFilters({ db, scope, query }: ChartCall): Promise<[label: string, names: string][]> {
  const { market, client, program } = query
  return [
    ...(market ? [['market', await namesOf(marketRecords, db, scope, market)] as [string, string]] : []),
    ...(client ? [['client', await namesOf(clientRecords, db, scope, client)] as [string, string]] : []),
    ...(program ? [['program', await namesOf(programRecords, db, scope, program)] as [string, string]] : []),
  ]
}

async function fileOf<Row>(call: ChartCall, format: ExportFormat, rows: readonly Row[], sheet: Sheet<Row>) {
  const { from, to } = call.query
  const named = await namedFilters(call)
  return exportSheet(format, sheet, rows, {
    filters: [`from: ${from}`, `to: ${to}`, ...named.map(([label, names]) => `${label}: ${names}`)],
    zone: ROW_ZONES,
    now: new Date(),
    filename: exportFileName({ name: sheet.name, of: named.map(([, names]) => names), days: [from, to] }),
  })
}

/** The rows of a chart as JSON, or with `format` as a file. */
export async function rowsOrFile<Row>(
  call: ChartCall,
  load: (db: Db, scope: Scope, query: ChartQuery) => Promise<Row[]>,
  sheet: Sheet<Row>,
): Promise<{ data: Row[] } | Download> {
  const { db, scope, query } = call
  const rows = await load(db, scope, query)
  return query.format ? fileOf(call, query.format, rows, sheet) : { data: rows }
}
