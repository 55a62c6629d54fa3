import { FEED_DELAY_MINUTES } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'

/** A play may be in a feed when it arrived this long ago. Until then its grade changes without a correction. */
const FEED_DELAY = sql.raw(`interval '${FEED_DELAY_MINUTES} minutes'`)

const wasBillable = sql`(market_uid is not null and grade <> 'conflict')`
const isBillable = sql`(new_market_uid is not null and new_grade <> 'conflict')`

const isSameProgram = sql`new_program_uid is not distinct from program_uid`

const countsNow = sql`(${isSameProgram} and new_market_uid is not null)`

/**
 * Notes plays of the expression `was` that feeds may have delivered and that are graded otherwise now, as a further
 * expression of the same statement. Plays that counted neither before nor now are in no feed. A play whose artwork moved to
 * another program is noted for both.
 */
export const noteCorrections = (truck: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  corrections as (
    select device_uid, play_id, program_uid, started_at, received_at, ${countsNow} as is_counted,
           ${countsNow} <> (market_uid is not null) as is_flip,
           case when ${wasBillable} then received_at when ${isSameProgram} and ${isBillable} then now() end as billable_since
      from was
     where program_uid is not null and (market_uid is not null or ${countsNow})
    union all
    select device_uid, play_id, new_program_uid, started_at, received_at, true, true, case when ${isBillable} then now() end
      from was where not (${isSameProgram}) and new_market_uid is not null
  ), corrected as (
    insert into play_correction as c (device_uid, play_id, program_uid, truck_uid, started_at, received_at, is_counted, flips,
                                      billable_since)
    select device_uid, play_id, program_uid, ${truck}, started_at, received_at, is_counted,
           case when is_flip then array[now()] else '{}' end, billable_since
      from corrections where received_at <= now() - ${FEED_DELAY}
     order by device_uid, play_id collate "C", program_uid
    on conflict (device_uid, play_id, program_uid) do update
      set changed_at = excluded.changed_at, received_at = excluded.received_at, is_counted = excluded.is_counted,
          flips = c.flips || excluded.flips, billable_since = coalesce(c.billable_since, excluded.billable_since)
  )`
