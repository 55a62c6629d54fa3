import { defineModule } from '../../platform/module.ts'
import { playsStored } from './metrics.ts'
import { regradeLateTracks } from './regrade.ts'
import { sweepSequences } from './sweep.ts'

export { csvStatements, exportPlays, reportFileName } from './export.ts'
export { storePlays } from './ingest.ts'
export { daysWithPlays, pageOfPlays } from './log.ts'
export { missingPlays } from './missing.ts'
export { regrade } from './regrade.ts'
export { clientLimit, namesOfFilters, requireProgram, searchPatterns, truckMatches } from './report-filters.ts'
export { gradedPlaysOfShift, playsOfProgram, playsOfShift, playTotals } from './totals.ts'
export type { GroupTotal, MissingTotal, PlayCounts } from './totals-by-day.ts'
export { readMarketHours, readZoneHours, type ZoneHours } from './zone-hours.ts'

export const playModule = defineModule({
  name: 'live/plays',
  tables: ['play', 'play_hour', 'play_address_hour', 'play_sequence', 'play_after_hole'],
  metrics: [playsStored],
  jobs: [regradeLateTracks, sweepSequences],
})
