import { Counter } from 'prom-client'
import { SecondsSince } from '../../platform/observability/metrics.ts'

export const positionsStored = new Counter({
  name: 'roadshow_positions_stored_total',
  help: 'Positions of trucks that were stored, without repeats.',
  registers: [],
})

export const lastPoll = new SecondsSince<string>(
  'roadshow_geotab_poll_lag_seconds',
  'Seconds since a feed of MyGeotab was last read without an error, on the node that polls.',
  'feed',
)

export const newestFix = new SecondsSince<'position'>(
  'roadshow_geotab_position_lag_seconds',
  'Seconds since the newest position of the feed, on the node that polls.',
  'of',
)
