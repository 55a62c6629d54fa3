import { defineModule } from '../../platform/module.ts'
import { shiftRoutes } from './routes.ts'
import { shiftSockets } from './sockets.ts'

export { loadShiftStates, type ShiftState, withShiftEvents } from './changes.ts'
export { pageOfDriverShifts } from './by-driver.ts'
export { describeShiftFilters, plannedSheetColumns, shiftSheet, trucksByNumber, zoneOfShifts } from './export.ts'
export {
  applyReports,
  applyReportsOf,
  type DriversShift,
  explainReport,
  findReportProblem,
  findShiftAt,
  type FormerPlan,
  loadFormerPlans,
  lockDriversShift,
  lockReportedShift,
  type ShiftPlan,
} from './driver-reports.ts'
export { describeReport, isFarFrom, type ReportProblem } from './report-rules.ts'
export {
  driverMatches,
  minuteColumns,
  ownShifts,
  PLANNED_JOINS,
  plannedColumns,
  shiftDeclaration,
  shiftFilters,
  type ShiftQuery,
  shiftRecords,
  withoutDriver,
} from './queries.ts'
export { ownHours } from './own-hours.ts'
export { saveShifts } from './bulk-write.ts'
export { createShift, removeShift, updateShift } from './save.ts'
export { tookPlace } from './took-place.ts'
export { checkOrSaveUpload } from './upload/upload.ts'

export const shiftModule = defineModule({
  name: 'planning/shifts',
  tables: ['shift'],
  dbErrors: { shift_starts_in_its_time: 'shiftMove', shift_completed_after_start: 'shiftMove' },
  nameColumns: { shift: 'local_date' },
  routes: shiftRoutes,
  sockets: shiftSockets,
})
