import {
  driverMarkLabel,
  payOptionLabel,
  type QueryOf,
  type Shift,
  shiftStatusLabel,
  startOutcomeLabel,
  type shifts,
} from '@roadshow/contract'
import { clientRecords } from '../../catalog/clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type ExportFilter, filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { clockColumn, dayColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { marketRecords } from '../../catalog/markets/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { truckRecords } from '../../catalog/trucks/index.ts'
import { userRecords } from '../../catalog/users/index.ts'
import { stopsText } from './stop-cells.ts'

/** The columns that every export of shifts begins with. */
export const plannedSheetColumns = {
  Date: dayColumn((shift: Shift) => shift.date),
  Start: clockColumn((shift: Shift) => shift.start),
  End: clockColumn((shift: Shift) => shift.end),
  Zone: (shift: Shift) => shift.zone,
  Truck: (shift: Shift) => shift.truck.name,
  Driver: (shift: Shift) => shift.driver?.name ?? '',
  Client: (shift: Shift) => shift.client.name,
  Program: (shift: Shift) => shift.program.name,
  Market: (shift: Shift) => shift.market.name,
  'Artwork set': (shift: Shift) => shift.artworkSet?.name ?? '',
  'SD set': (shift: Shift) => shift.addressSet?.name ?? '',
  'Pay option': (shift: Shift) => (shift.payOption ? payOptionLabel[shift.payOption] : ''),
  Status: (shift: Shift) => shiftStatusLabel[shift.status],
  Reason: (shift: Shift) => shift.reason,
  Note: (shift: Shift) => shift.note,
  'Planned stops': ({ stops }: Shift) => stopsText(stops),
}

/** Trucks by their numbers, as filters name them. */
export const trucksByNumber = {
  async findMany(db: Db, scope: Scope, uids: readonly string[]) {
    const trucks = await truckRecords.findMany(db, scope, uids)
    return trucks.map((truck) => truck && { name: truck.number })
  },
}

/** The filters of a list of shifts, in words. */
export async function describeShiftFilters(
  db: Db,
  scope: Scope,
  query: QueryOf<typeof shifts.list>,
): Promise<ExportFilter[]> {
  return [
    ...(query.from ? [`from: ${query.from}`] : []),
    ...(query.to ? [`to: ${query.to}`] : []),
    ...(query.market ? [filterByName('market', await namesOf(marketRecords, db, scope, query.market))] : []),
    ...(query.client ? [filterByName('client', await namesOf(clientRecords, db, scope, query.client))] : []),
    ...(query.program ? [filterByName('program', await namesOf(programRecords, db, scope, query.program))] : []),
    ...(query.truck ? [filterByName('truck', await namesOf(trucksByNumber, db, scope, query.truck))] : []),
    ...(query.driver ? [filterByName('driver', await namesOf(userRecords, db, scope, query.driver))] : []),
    ...(query.tookPlace ? ['only shifts that took place'] : []),
    ...(query.driverAnswer ? [`driver’s answer: ${query.driverAnswer.join(', ')}`] : []),
    ...(query.driverMark ? [`driver: ${query.driverMark.map((mark) => driverMarkLabel[mark]).join(', ')}`] : []),
    ...(query.startOutcome
      ? [`start: ${query.startOutcome.map((outcome) => startOutcomeLabel[outcome]).join(', ')}`]
      : []),
    ...(query.status ? [`status: ${query.status.map((name) => shiftStatusLabel[name]).join(', ')}`] : []),
  ]
}

/** The zone of all shifts of a list that names one market, which never had another. */
export async function zoneOfShifts(
  db: Db,
  scope: Scope,
  { market }: QueryOf<typeof shifts.list>,
): Promise<string | undefined> {
  const [only, another] = market ?? []
  if (only === undefined || another !== undefined) return undefined
  const found = await marketRecords.find(db, scope, only)
  return found?.earlierZones.length === 0 ? found.zone : undefined
}

export const shiftSheet = {
  name: 'schedule',
  columns: {
    ...plannedSheetColumns,
    Updated: timeColumn(
      (shift: Shift) => shift.updatedAt,
      ({ zone }) => zone,
    ),
  },
  filters: describeShiftFilters,
  rowZone: zoneOfShifts,
}
