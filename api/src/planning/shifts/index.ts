export { pageOfDriverShifts } from './by-driver.ts'
export { detailSheet, shiftSheet } from './export.ts'
export { applyDriverReport, findShiftAt } from './driver-reports.ts'
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
export { saveShifts } from './bulk-write.ts'
export { createShift, removeShift, updateShift } from './save.ts'
export { checkOrSaveUpload } from './upload/upload.ts'
