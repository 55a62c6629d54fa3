import { defineModule } from '../../platform/module.ts'
import { archivePlaysJob } from './archive/job.ts'
import { playDependents } from './dependents.ts'
import { playLifetimes } from './lifetimes.ts'
import { archiveFailures, playsArchived, playsStored } from './metrics.ts'
import { regradeChangedEvidence } from './regrade-job.ts'

export { accountOfDevice } from './account.ts'
export { countOldAddressPlays, withAddressSnapshot } from './address-hours.ts'
export { nameOfAddress } from './address-name.ts'
export { type AddressPlay, addressPlayTable, archivedAddressPlays } from './archive/address-plays.ts'
export { archivePlays } from './archive/job.ts'
export { restoreArchive } from './archive/thaw.ts'
export { listArchive, verifyArchive } from './archive/verify.ts'
export { inPlaySnapshot, type PlayStores } from './archive/stores.ts'
export { csvStatements, exportPlays } from './export.ts'
export { type FedPlay, type PlayFeedPage, readPlayFeed } from './feed/index.ts'
export { FEED_START, type FeedOffset, microsOf, startOf } from './feed/offsets.ts'
export { instantOfMicros } from './archive/rules.ts'
export { storePlays } from './ingest.ts'
export { answerJump, openJumps } from './jumps.ts'
export { daysWithPlays, pageOfPlays, type PlayList, streamPlayGroups } from './log.ts'
export { readKeptSince } from './kept-since.ts'
export { isAmong, type PlayFilter } from './play-filter.ts'
export { withClocks } from './market-clocks.ts'
export { regrade } from './regrade.ts'
export { finishGrading, gradingProgress } from './regrade-job.ts'
export { NO_UID } from './rollup.ts'
export { hideDriver } from './resolve-filter.ts'
export { pageOfUnassigned } from './unassigned.ts'
export { pageOfUnstored } from './unstored.ts'
export {
  clientLimit,
  namesOfFilters,
  requireProgram,
  requirePrograms,
  searchPatterns,
  truckMatches,
} from './report-filters.ts'
export { loadFiguresDay } from './figures-day.ts'
export type { PlayScope } from './play-scope.ts'
export { playsOfPrograms, playsOfShifts, playTotals } from './totals.ts'
export { type GroupTotal, type OtherTotal, type PlayCounts, playFiguresOf } from './totals-by-day.ts'
export { type MarketHours, readMarketHours, timesAround } from './market-hours.ts'

export const playModule = defineModule({
  name: 'live/plays',
  tables: playLifetimes,
  metrics: [playsStored, playsArchived, archiveFailures],
  jobs: [regradeChangedEvidence, archivePlaysJob],
  dependents: [playDependents],
})
