export { deviceChannels } from './channels.ts'
export { missingPlays } from './missing.ts'
export { keepGrading, regrade } from './regrade.ts'
