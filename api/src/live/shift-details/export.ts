import { toMiles } from '@roadshow/contract'
import { describeShiftFilters, plannedSheetColumns } from '../../planning/shifts/index.ts'
import { formatLocalTime } from '../../platform/spreadsheet/sheet.ts'
import type { ShiftDetails } from './queries.ts'

export const shiftDetailSheet = {
  name: 'schedule-details',
  columns: {
    ...plannedSheetColumns,
    Started: (shift: ShiftDetails) => formatLocalTime(shift.startedAt, shift.zone),
    Stopped: (shift: ShiftDetails) => formatLocalTime(shift.stoppedAt, shift.zone),
    'Planned minutes': (shift: ShiftDetails) => shift.plannedMinutes,
    'Actual minutes': (shift: ShiftDetails) => shift.actualMinutes,
    'Minutes late': (shift: ShiftDetails) => shift.lateMinutes,
    Plays: (shift: ShiftDetails) => shift.plays.count,
    'Verified plays': (shift: ShiftDetails) => shift.plays.verified,
    Miles: (shift: ShiftDetails) => shift.distance && Math.round(toMiles(shift.distance.metres) * 10) / 10,
    'GPS coverage, %': (shift: ShiftDetails) => shift.distance && Math.round(shift.distance.coverage * 100),
    Issues: (shift: ShiftDetails) => shift.issues.length,
    Photos: (shift: ShiftDetails) => shift.photos,
  },
  filters: describeShiftFilters,
}
