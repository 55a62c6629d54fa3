export { missingPlays } from './missing.ts'
export { storePlays } from './ingest.ts'
export { keepGrading, regrade } from './regrade.ts'
