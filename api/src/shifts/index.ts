export { reportedByTruck, shiftOfTruckAt } from './on-the-road.ts'
export { minuteColumns, ownShifts, PLANNED_JOINS, plannedColumns, shiftRecords } from './queries.ts'
export { shiftRoutes } from './routes.ts'
export { saveShifts } from './save.ts'
