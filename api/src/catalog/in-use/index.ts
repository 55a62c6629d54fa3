export { refuseIfPlanned, refuseIfPlannedElsewhere } from './planned-shifts.ts'
export { isPopOver, isPublicPop, programToday, refuseIfPublic } from './public-pops.ts'
