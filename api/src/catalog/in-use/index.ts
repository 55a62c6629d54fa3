export { refuseIfPlanned, refuseIfPlannedElsewhere } from './planned-shifts.ts'
export { refuseIfShown } from './shown-pops.ts'
