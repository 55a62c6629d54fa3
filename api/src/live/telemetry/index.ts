import { dropOldWeeks } from '../../platform/db/partitions.ts'
import { current, figures, keptFor, queue } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { newestFix, lastPoll, positionsStored } from './metrics.ts'
import { createPartitionsJob, deleteOldReadings, mergeDaysJob } from './partitions.ts'
import { findApproachesJob } from './find-approaches.ts'
import { storePlacesJob } from './last-resort.ts'
import { measureMilesJob, queueOldTracksJob, updateCoverageJob } from './remeasure.ts'
import { storeStopVisitsJob } from './shift-stops.ts'

export { credibleFixes } from './approaches.ts'
export { findApproaches } from './find-approaches.ts'
export { keepPlaces, type SentPlace, storePlaces } from './last-resort.ts'
export { EMPTY_TRACK, isPlausibleFix, MILES_VERSION, trackOf, withFix } from './miles.ts'
export { readMilesSources } from './miles-sources.ts'
export { recordPlayerContact } from './player-contact.ts'
export { geotabClient } from './geotab-client.ts'
export { startPoller } from './poller.ts'
export { takePollingTurns, waitFor } from './polling-turns.ts'
export { backOffMs, SourceError, waitOf } from './source-error.ts'
export type { ServiceReport } from './sources.ts'
export { feedVersion, forgetFeed } from './feed-versions.ts'
export { finishMiles, remeasureShifts } from './remeasure.ts'
export { loadStopVisits, storeStopVisits } from './shift-stops.ts'
export { fixKey, type SourceBatch, storeTelemetry, type StoreResult } from './store.ts'
export { FILE_SOURCE, GEOTAB_SOURCE, PHONE_SOURCE, PLAYER_SOURCE } from './minute-rules.ts'
export { externalIdOf, normalizeFix, numberOf, type SentFix, timeOf } from './normalize-rules.ts'
export type { OdometerReading, TrackerFix } from './records.ts'
export { readFixes } from './stored-fixes.ts'
export { sourcesBetween } from './track-sources.ts'
export type { TimeRange } from './time-ranges.ts'
export { unassignedHours, type UnassignedHour } from './unassigned-hours.ts'

const positions = { bound: 'Positions by week, dropped as whole tables; odometer readings with them.' }

export const telemetryModule = defineModule({
  name: 'live/telemetry',
  tables: {
    position: keptFor('keepPositionsDays', 'at', positions, { by: dropOldWeeks('position') }),
    position_minute: keptFor('keepPositionsDays', 'at', positions, { by: dropOldWeeks('position_minute') }),
    position_spare: keptFor('keepPositionsDays', 'at', positions, { by: dropOldWeeks('position_spare') }),
    position_waiting: queue,
    truck_source: current,
    odometer_reading: keptFor('keepPositionsDays', 'at', positions, { by: deleteOldReadings }),
    truck_now: current,
    geotab_cursor: current,
    shift_track: figures,
    miles_due: queue,
    truck_day_track: figures,
    shift_approach: figures,
    shift_approaches_known: figures,
    shift_stop_track: figures,
  },
  metrics: [positionsStored, lastPoll.gauge, newestFix.gauge],
  jobs: [
    createPartitionsJob,
    mergeDaysJob,
    storePlacesJob,
    measureMilesJob,
    updateCoverageJob,
    queueOldTracksJob,
    findApproachesJob,
    storeStopVisitsJob,
  ],
})
