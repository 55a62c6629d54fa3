import { describeTimeSource, visitText } from '@roadshow/contract'
import { describeShiftFilters, plannedSheetColumns, zoneOfShifts } from '../../planning/shifts/index.ts'
import { countColumn, milesColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import type { ShiftDetails } from './queries.ts'

const zoneOfShift = ({ zone }: ShiftDetails) => zone

export const shiftDetailSheet = {
  name: 'schedule-details',
  columns: {
    ...plannedSheetColumns,
    Started: timeColumn((shift: ShiftDetails) => shift.startedAt, zoneOfShift),
    'Start set by': ({ startSetBy }: ShiftDetails) => startSetBy && describeTimeSource(startSetBy),
    Stopped: timeColumn((shift: ShiftDetails) => shift.stoppedAt, zoneOfShift),
    'Stop set by': ({ stopSetBy }: ShiftDetails) => stopSetBy && describeTimeSource(stopSetBy),
    'Planned minutes': countColumn((shift: ShiftDetails) => shift.plannedMinutes),
    'Actual minutes': countColumn((shift: ShiftDetails) => shift.actualMinutes),
    'Minutes late': countColumn((shift: ShiftDetails) => shift.lateMinutes),
    Plays: countColumn((shift: ShiftDetails) => shift.plays.count),
    'Verified plays': countColumn((shift: ShiftDetails) => shift.plays.verified),
    Miles: milesColumn((shift: ShiftDetails) => shift.distance && shift.distance.metres),
    'GPS coverage, %': (shift: ShiftDetails) => shift.distance && Math.round(shift.distance.coverage * 100),
    Issues: countColumn((shift: ShiftDetails) => shift.issues.length),
    Photos: countColumn((shift: ShiftDetails) => shift.photos),
    'Stops visited': ({ stops, zone }: ShiftDetails) => stops.map((stop) => visitText(stop, zone)).join('; '),
  },
  filters: describeShiftFilters,
  rowZone: zoneOfShifts,
}
