import { NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'

/** The key of the hours allows no null: the nil UUID stands for no shift and no market. */
export const NO_UID = sql.raw(`'${NIL_UUID}'::uuid`)

/** Adds to hours that exist already; negative numbers subtract. */
const ON_CONFLICT_ADD = sql.raw(`on conflict (hour, truck_uid, shift_uid, program_uid, market_uid, day, side) do update
  set plays = h.plays + excluded.plays, duration_ms = h.duration_ms + excluded.duration_ms,
      verified = h.verified + excluded.verified, conflict = h.conflict + excluded.conflict,
      no_track = h.no_track + excluded.no_track, for_address = h.for_address + excluded.for_address`)

const ON_ADDRESS_CONFLICT_ADD =
  sql.raw(`on conflict (hour, truck_uid, program_uid, market_uid, day, address_uid) do update
  set plays = a.plays + excluded.plays, duration_ms = a.duration_ms + excluded.duration_ms`)

/**
 * Adds the plays of a common table expression to the rollups by hour, as further expressions of the same statement. `sign`
 * is 1 for plays that are added, or the column that says whether each one is added (1) or subtracted (-1).
 */
export const rollUp = (plays: string, sign: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  hours as (
    insert into play_hour as h (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms,
                                verified, conflict, no_track, for_address)
    select date_trunc('hour', started_at), truck_uid, coalesce(shift_uid, ${NO_UID}), program_uid,
           coalesce(market_uid, ${NO_UID}), day, side, sum(${sign}), sum(${sign} * duration_ms),
           coalesce(sum(${sign}) filter (where grade = 'verified'), 0),
           coalesce(sum(${sign}) filter (where grade = 'conflict'), 0),
           coalesce(sum(${sign}) filter (where reason = 'noTrack'), 0),
           coalesce(sum(${sign}) filter (where address_uid is not null), 0)
      from ${sql.ref(plays)} group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    ${ON_CONFLICT_ADD}
  ), addresses as (
    insert into play_address_hour as a (hour, truck_uid, program_uid, market_uid, day, address_uid, plays, duration_ms)
    select date_trunc('hour', started_at), truck_uid, program_uid, market_uid, day, address_uid, sum(${sign}),
           sum(${sign} * duration_ms)
      from ${sql.ref(plays)} where address_uid is not null and market_uid is not null
     group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    ${ON_ADDRESS_CONFLICT_ADD}
  )`
