import { type Depot, type PopStop, type StopVisit } from '@roadshow/contract'
import { sql } from 'kysely'
import { loadStopVisits } from '../../../live/telemetry/index.ts'
import { anyOf } from '../../../platform/db/any-of.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { formatLocalTime } from '../../../platform/spreadsheet/local-time.ts'
import { tookPlace } from '../../../planning/shifts/index.ts'
import { isNearDepot } from './route-lines.ts'

/** The planned stops of a program's shifts that took place, by the uid of the market; markets without any are absent. */
export async function loadPopStops(
  db: Db,
  programUid: string,
  marketUids: readonly string[],
): Promise<Map<string, PopStop[]>> {
  const rows = await db
    .selectFrom('shift as s')
    .innerJoin('market as m', 'm.uid', 's.market_uid')
    .select(['s.uid', 's.market_uid as market', 's.local_date as day', 's.zone', sql<Depot[]>`m.depots`.as('depots')])
    .where('s.program_uid', '=', programUid)
    .where('s.stops', '<>', '[]')
    .where('s.market_uid', '=', anyOf(marketUids))
    .where(tookPlace('s').$castTo<boolean>())
    .orderBy('s.starts_at')
    .orderBy('s.uid')
    .execute()
  const uids = rows.map(({ uid }) => uid)
  const visits = await loadStopVisits(db, uids)
  const stops = new Map<string, PopStop[]>()
  for (const shift of rows) {
    // Parking places are private, as they are on routes.
    const shown = (visits.get(shift.uid) ?? []).filter((visit) => !isNearDepot(visit, shift.depots))
    const told = shown.flatMap((visit) => toPopStop(visit, shift))
    if (told.length > 0) stops.set(shift.market, [...(stops.get(shift.market) ?? []), ...told])
  }
  return stops
}

/** A stop of a document; none while it is not decided. */
function toPopStop(
  { name, from, to, state, arrivedAt, leftAt, dwellMinutes }: StopVisit,
  shift: { day: string; zone: string },
) {
  if (state === null || state === 'upcoming') return []
  const local = (at: string | null) => at && formatLocalTime(at, shift.zone)
  return [{ day: shift.day, name, from, to, state, arrivedAt: local(arrivedAt), leftAt: local(leftAt), dwellMinutes }]
}
