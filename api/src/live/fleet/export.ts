import {
  type fleet,
  issueKindLabel,
  issueStatusLabel,
  type QueryOf,
  toMiles,
  type TruckDayMiles,
  type TruckIssue,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { formatUtc } from '../../platform/spreadsheet/sheet.ts'

export const issueSheet = {
  name: 'truck-issues',
  columns: {
    Truck: (issue: TruckIssue) => issue.truck.name,
    Kind: (issue: TruckIssue) => issueKindLabel[issue.kind],
    'Raised by': (issue: TruckIssue) => (issue.raisedBy === 'server' ? 'System' : 'Driver'),
    Program: (issue: TruckIssue) => issue.shift?.program ?? '',
    Text: (issue: TruckIssue) => issue.text,
    Status: (issue: TruckIssue) => issueStatusLabel[issue.status],
    Note: (issue: TruckIssue) => issue.note,
    'Opened (UTC)': (issue: TruckIssue) => formatUtc(issue.openedAt),
    'Resolved (UTC)': (issue: TruckIssue) => (issue.resolvedAt ? formatUtc(issue.resolvedAt) : ''),
  },
  filters: async (_db: Db, _scope: Scope, query: QueryOf<typeof fleet.issues>) => [
    ...(query.status ? [`status: ${query.status.map((name) => issueStatusLabel[name]).join(', ')}`] : []),
    ...(query.kind ? [`kind: ${query.kind.map((name) => issueKindLabel[name]).join(', ')}`] : []),
    ...(query.truck ? [`trucks: ${query.truck.length}`] : []),
  ],
}

const miles = (metres: number | null): number | null => metres && Math.round(toMiles(metres) * 100) / 100

export const dayMilesSheet = {
  name: 'miles-by-day',
  columns: {
    Date: (row: TruckDayMiles) => row.date,
    Shifts: (row: TruckDayMiles) => row.shifts.length,
    Programs: (row: TruckDayMiles) => [...new Set(row.shifts.map(({ program }) => program))].join(', '),
    'Shift miles': (row: TruckDayMiles) => miles(row.shiftMetres),
    'Unassigned miles': (row: TruckDayMiles) => miles(row.unassignedMetres),
    'Total miles': (row: TruckDayMiles) => miles(row.metres),
  },
}
