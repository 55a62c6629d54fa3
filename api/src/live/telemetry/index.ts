import { defineModule } from '../../platform/module.ts'
import { newestFix, lastPoll, positionsStored } from './metrics.ts'
import { createPartitionsJob, dropPartitionsJob, mergeDaysJob } from './partitions.ts'
import { findApproachesJob } from './find-approaches.ts'
import { geotabService } from './poller.ts'
import { storeStopVisitsJob } from './shift-stops.ts'

export { credibleFixes } from './approaches.ts'
export { findApproaches } from './find-approaches.ts'
export { EMPTY_TRACK, GAP_MS, isPlausibleFix, MILES_VERSION, withFix } from './miles.ts'
export { recordPlayerContact } from './player-contact.ts'
export { startPoller } from './poller.ts'
export { finishMiles, remeasureShifts } from './remeasure.ts'
export { loadStopVisits, storeStopVisits } from './shift-stops.ts'
export { storeTelemetry } from './store.ts'
export { readFixes } from './stored-fixes.ts'
export type { TimeRange } from './time-ranges.ts'
export { unassignedHours, type UnassignedHour } from './unassigned-hours.ts'

export const telemetryModule = defineModule({
  name: 'live/telemetry',
  tables: [
    'position',
    'odometer_reading',
    'truck_now',
    'geotab_cursor',
    'shift_track',
    'miles_due',
    'truck_day_track',
    'shift_approach',
    'shift_approaches_known',
    'shift_stop_track',
  ],
  metrics: [positionsStored, lastPoll.gauge, newestFix.gauge],
  service: geotabService,
  jobs: [createPartitionsJob, dropPartitionsJob, mergeDaysJob, findApproachesJob, storeStopVisitsJob],
})
