import { METERS_PER_MILE } from '@roadshow/contract'
import { sql } from 'kysely'

// Moving a truck in the yard is no tour.
const TOUR_METERS = METERS_PER_MILE / 10

/** Whether a shift (t) with its track (k) was completed by a truck with a screen, so that there should be plays. */
export const shouldHavePlays = sql<boolean>`(
  t.status = 'completed' and coalesce(k.metres, 0) >= ${sql.lit(TOUR_METERS)}
  and exists (select 1 from truck x where x.uid = t.truck_uid and x.kind = 'led'))`

/** Whether nothing was shown on such a shift. It is decided when it is read: plays that arrive late clear it. */
export const shiftWithoutPlays = sql<boolean>`(${shouldHavePlays} and not has_plays(t.uid))`
