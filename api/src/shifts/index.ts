export { shiftRecords } from './queries.ts'
export { shiftRoutes } from './routes.ts'
export { saveShifts } from './save.ts'
