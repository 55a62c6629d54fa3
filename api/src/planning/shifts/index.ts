import { shiftImport } from './upload/import.ts'
import { UNDO_HOURS } from '@roadshow/contract'
import { keptFor, partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { shiftDependents } from './dependents.ts'
import { defineModule } from '../../platform/module.ts'
import { shiftRoutes } from './routes.ts'
import { shiftSockets } from './sockets.ts'

export {
  driverSigns,
  hasMark,
  IS_NOT_STARTED,
  IS_OF_PRESENT_PLAN,
  IS_STARTED_LATE,
  newestAnswer,
  NO_DRIVER_SIGNS,
  openTruckRequest,
  phoneOfflineSince,
  START_OUTCOME,
} from './driver-signs.ts'
export { type Booking, BookingIndex } from './bookings.ts'
export { loadBookings, loadOutOfService, loadShiftFacts } from './facts.ts'
export { correctTime } from './move.ts'
export { checkBegunHours } from './move-rules.ts'
export {
  checkShift,
  clashProblems,
  type SavedCandidate,
  type ShiftCandidate,
  type ShiftFacts,
  type ShiftProblems,
  type ShiftValues,
} from './rules.ts'
export { shiftInstants, toShiftValues } from './shift-row.ts'
export { loadShiftStates, type ShiftState, withShiftEvents } from './changes.ts'
export { pageOfDriverShifts } from './by-driver.ts'
export { describeShiftFilters, plannedSheetColumns, shiftSheet, trucksByNumber, zoneOfShifts } from './export.ts'
export { applyDriverEventsOf, storeDriverEvent } from './driver-events.ts'
export { describeDriverEvent, describeEventProblem, type EventProblem, isFarFrom } from './event-rules.ts'
export {
  type DriversShift,
  findShiftAt,
  type FormerPlan,
  loadFormerPlans,
  lockDriversShift,
  lockTrucksShift,
  type ShiftPlan,
  truckOfShiftAt,
  wasDriversShift,
} from './shift-of-event.ts'
export {
  COUNTED_MINUTES,
  driverMatches,
  loadShifts,
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
export {
  blocksTruckSql,
  bookedUntil,
  heldHours,
  heldHoursJson,
  holdsTruckAt,
  timeSetter,
  tookPlace,
  workedShifts,
} from './shift-sql.ts'
export { saveShifts } from './bulk-write.ts'
export { loadMarketPlaces } from './travel/facts.ts'
export { type MarketPlace, milesBetweenMarkets, milesToMarket, neededMinutes } from './travel/rules.ts'
export { planNewShifts } from './plan-changes/plan-new.ts'
export { shiftDeletion } from './deletion.ts'
export { createShift, updateShift } from './save.ts'
export { checkOrSaveUpload } from './upload/upload.ts'
export { stretchRecords } from './out-of-service/queries.ts'
export { findResource } from './out-of-service/resource.ts'
export { resolveStretch } from './out-of-service/rules.ts'
export { removeStretch, saveStretch } from './out-of-service/save.ts'
export { loadShiftsInStretch } from './out-of-service/shifts-in-stretch.ts'

export const shiftModule = defineModule({
  name: 'planning/shifts',
  tables: {
    shift: record,
    shift_act: keptFor(`${UNDO_HOURS} hours`, 'at', {
      bound:
        'What changed on the board, so that it can be undone. A person makes each change; a change holds at most two weeks.',
    }),
    truck_hold: partOfRecord,
    driver_event: partOfRecord,
    out_of_service: record,
    shift_office_time: partOfRecord,
  },
  dbErrors: {
    shift_starts_in_its_time: 'shiftMove',
    shift_completed_after_start: 'shiftMove',
    shift_stops_fit: 'shiftStops',
    shift_truck_in_service: 'outOfService',
    shift_driver_in_service: 'outOfService',
    out_of_service_without_shifts: 'shiftsInTheWay',
    out_of_service_truck_once: 'stretchTaken',
  },
  nameColumns: { shift: 'local_date' },
  routes: shiftRoutes,
  dependents: [shiftDependents],
  imports: [shiftImport],
  sockets: shiftSockets,
})
