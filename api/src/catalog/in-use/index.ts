export { describePlanned, refuseForShifts, refuseIfPlanned, refuseIfPlannedElsewhere } from './planned-shifts.ts'
export { recordsOf } from './records-of.ts'
export { hasShifts, shiftsOf } from './shifts-of.ts'
export { isPopOver, isPublicPop, programToday, refuseIfPublic } from './public-pops.ts'
