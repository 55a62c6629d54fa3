import {
  type fleet,
  issueKindLabel,
  issueStatusLabel,
  METERS_PER_MILE,
  type QueryOf,
  sumOfShownMiles,
  type TruckDayMiles,
  type TruckIssue,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { countColumn, dayColumn, milesColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { issueAssignees } from './issue-choices.ts'
import { trucksByNumber } from '../../planning/shifts/index.ts'

const raisedByWord: Record<TruckIssue['raisedBy'], string> = { server: 'System', driver: 'Driver', staff: 'Dispatch' }

const zoneOfIssue = ({ zone }: TruckIssue) => zone

export const issueSheet = {
  name: 'truck-issues',
  columns: {
    Truck: (issue: TruckIssue) => issue.truck.name,
    Kind: (issue: TruckIssue) => issueKindLabel[issue.kind],
    'Raised by': (issue: TruckIssue) => raisedByWord[issue.raisedBy],
    Program: (issue: TruckIssue) => issue.shift?.program ?? '',
    Text: (issue: TruckIssue) => issue.text,
    Status: (issue: TruckIssue) => issueStatusLabel[issue.status],
    Note: (issue: TruckIssue) => issue.note,
    'Assigned to': (issue: TruckIssue) => issue.assignee?.name ?? '',
    'Snoozed until': timeColumn((issue: TruckIssue) => issue.snoozedUntil, zoneOfIssue),
    Opened: timeColumn((issue: TruckIssue) => issue.openedAt, zoneOfIssue),
    Resolved: timeColumn((issue: TruckIssue) => issue.resolvedAt, zoneOfIssue),
    Zone: zoneOfIssue,
  },
  filters: async (db: Db, scope: Scope, query: QueryOf<typeof fleet.issues>) => [
    ...(query.status ? [`status: ${query.status.map((name) => issueStatusLabel[name]).join(', ')}`] : []),
    ...(query.kind ? [`kind: ${query.kind.map((name) => issueKindLabel[name]).join(', ')}`] : []),
    ...(query.truck ? [filterByName('truck', await namesOf(trucksByNumber, db, scope, query.truck))] : []),
    ...(query.shift ? [`shifts: ${query.shift.length} selected`] : []),
    ...(query.assignee ? [`assigned to: ${(await assigneeNames(db, scope, query.assignee)).join(', ')}`] : []),
    ...(query.snoozed ? [`snoozed: ${query.snoozed}`] : []),
    ...(query.from ? [`opened from: ${query.from}`] : []),
    ...(query.to ? [`opened until: ${query.to}`] : []),
  ],
  // Trucks of one market may have issues on shifts of another.
  rowZone: async () => undefined,
}

const assigneeWords = { me: 'me', none: 'no one' } as const

/** Who the issues are assigned to, in words. */
async function assigneeNames(db: Db, scope: Scope, assignees: readonly string[]): Promise<string[]> {
  const words = assignees.flatMap((each) => assigneeWords[each as keyof typeof assigneeWords] ?? [])
  const uids = assignees.filter((each) => !(each in assigneeWords))
  return [...words, ...(uids.length > 0 ? [await namesOf(issueAssignees, db, scope, uids)] : [])]
}

/** The columns add up as they are shown. */
const metersShown = (distances: readonly (number | null)[]): number | null => {
  const miles = sumOfShownMiles(distances, 100)
  return miles === null ? null : miles * METERS_PER_MILE
}

export const dayMilesSheet = {
  name: 'miles-by-day',
  columns: {
    Date: dayColumn((row: TruckDayMiles) => row.date),
    Shifts: countColumn((row: TruckDayMiles) => row.shifts.length),
    Programs: (row: TruckDayMiles) => [...new Set(row.shifts.map(({ program }) => program))].join(', '),
    'Shift miles': milesColumn((row: TruckDayMiles) => metersShown(row.shifts.map(({ metres }) => metres))),
    'Unassigned miles': milesColumn((row: TruckDayMiles) => row.unassignedMetres),
    'Total miles': milesColumn((row: TruckDayMiles) =>
      metersShown([...row.shifts.map(({ metres }) => metres), row.unassignedMetres]),
    ),
  },
}
