import type { inspections, InspectionSummary, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'
import { filterByName } from '../../platform/spreadsheet/list-or-export.ts'
import { truckRecords } from '../../catalog/trucks/index.ts'

const numbersOf = async (db: Db, scope: Scope, uids: readonly string[]) =>
  (await truckRecords.findMany(db, scope, uids)).map((truck) => truck?.number ?? 'unknown').join(', ')

export const inspectionSheet = {
  name: 'inspections',
  columns: {
    Truck: (row: InspectionSummary) => row.truck.name,
    Driver: (row: InspectionSummary) => row.driver.name,
    Inspected: timeColumn((row: InspectionSummary) => row.at),
    Received: timeColumn((row: InspectionSummary) => row.receivedAt),
    'Sent later': (row: InspectionSummary) => (row.isLate ? 'Yes' : 'No'),
    Program: (row: InspectionSummary) => row.shift.program,
    Market: (row: InspectionSummary) => row.shift.market,
    'Signed by': (row: InspectionSummary) => row.signedBy,
    Defects: (row: InspectionSummary) => row.defects,
    'Repairs not certified': (row: InspectionSummary) => row.openDefects,
  },
  filters: async (db: Db, scope: Scope, query: QueryOf<typeof inspections.list>) => [
    ...(query.truck ? [filterByName('truck', await numbersOf(db, scope, query.truck))] : []),
    ...(query.from ? [`from: ${query.from}`] : []),
    ...(query.to ? [`to: ${query.to}`] : []),
    ...(query.open ? [query.open === 'true' ? 'repairs not certified' : 'no open repairs'] : []),
  ],
}
