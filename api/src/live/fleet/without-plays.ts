import { METERS_PER_MILE } from '@roadshow/contract'
import { sql } from 'kysely'
import { playsOfShift } from '../plays/index.ts'

// Moving a truck in the yard is no tour.
const TOUR_METRES = METERS_PER_MILE / 10

/**
 * Whether a shift (t) with its track (k) was completed by a truck with a screen on which nothing was shown. It is decided
 * when it is read: plays that arrive late clear it.
 */
export const shiftWithoutPlays = sql<boolean>`(
  t.status = 'completed' and coalesce(k.metres, 0) >= ${sql.lit(TOUR_METRES)}
  and exists (select 1 from truck x where x.uid = t.truck_uid and x.kind = 'led') and ${playsOfShift(sql`t.uid`)} = 0)`
