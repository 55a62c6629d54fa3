export { reportedByTruck, shiftOfTruckAt } from './on-the-road.ts'
export { ownShifts, shiftRecords } from './queries.ts'
export { shiftRoutes } from './routes.ts'
export { saveShifts } from './save.ts'
