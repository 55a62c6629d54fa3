export { pageOfDriverShifts } from './by-driver.ts'
export { detailSheet, shiftSheet } from './export.ts'
export { applyDriverReport, findShiftAt } from './on-the-road.ts'
export {
  detailRecords,
  minuteColumns,
  ownShifts,
  PLANNED_JOINS,
  plannedColumns,
  type ShiftDetails,
  shiftRecords,
} from './queries.ts'
export { shiftRoutes } from './routes.ts'
export { createShift, removeShift, updateShift } from './rules.ts'
export { saveShifts } from './save.ts'
export { checkOrSaveUpload } from './upload/upload.ts'
