import type { GpsFix } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { groupsOfWindow } from '../../platform/db/partitions.ts'
import { FIX_COVERS_MS, PARKED_SILENCE_MS } from './rules.ts'

const iso = (ms: number) => new Date(ms).toISOString()

// Moments closer than this share one stretch of track.
const GAP_MS = 5 * 60_000

/** The time around ordered moments as separate stretches, so that days between them are not read. */
function stretchesAround(times: readonly number[]): { since: number; until: number }[] {
  const stretches: { since: number; until: number }[] = []
  for (const at of times) {
    const last = stretches.at(-1)
    if (last && at - FIX_COVERS_MS <= last.until + GAP_MS) last.until = at + FIX_COVERS_MS
    else stretches.push({ since: at - FIX_COVERS_MS, until: at + FIX_COVERS_MS })
  }
  return stretches
}

/** The fixes of a truck that cover any of these ordered moments, ordered by time. */
export async function trackAround(db: Db, truckUid: string, times: readonly number[]): Promise<GpsFix[]> {
  const fixes: GpsFix[] = []
  for (const stretches of groupsOfWindow(stretchesAround(times), ({ since }) => since)) {
    const [since, until] = [stretches.map((each) => iso(each.since)), stretches.map((each) => iso(each.until))]
    // Not prepared: with the outermost times known, the planner reads only their weeks.
    const { rows } = await sql<{ at: string; latitude: number; longitude: number }>`
      select extract(epoch from p.at) * 1000 as at, p.latitude, p.longitude
        from unnest(${since}::timestamptz[], ${until}::timestamptz[]) stretch (since, until)
        join position p on p.truck_uid = ${truckUid} and p.at between stretch.since and stretch.until
       where p.at >= ${since[0]} and p.at <= ${until.at(-1)}
       order by p.at`.execute(db)
    for (const { at, latitude, longitude } of rows) fixes.push({ at: Number(at), latitude, longitude })
  }
  return fixes
}

/** A truck at a moment, in milliseconds since 1970. */
export interface TruckMoment {
  truckUid: string
  at: number
}

/** For how long a fix speaks for the truck, as an interval. */
export const FIX_COVERS = sql.raw(`interval '${FIX_COVERS_MS} milliseconds'`)
const SILENCE = sql.raw(`interval '${PARKED_SILENCE_MS} milliseconds'`)
/** For each moment the fixes that cover it, and the nearest before and after it within the silence of a parked truck. */
export async function fixesAround(db: Db, moments: readonly TruckMoment[]): Promise<GpsFix[][]> {
  const found = moments.map((): GpsFix[] => [])
  const ordered = moments.map((moment, place) => ({ ...moment, place })).toSorted((one, other) => one.at - other.at)
  for (const group of groupsOfWindow(ordered, ({ at }) => at)) {
    const first = iso((group[0]?.at ?? NaN) - PARKED_SILENCE_MS)
    const last = iso((group.at(-1)?.at ?? NaN) + PARKED_SILENCE_MS)
    const [trucks, times] = [group.map(({ truckUid }) => truckUid), group.map(({ at }) => iso(at))]
    // Not prepared: with the outermost times known, the planner reads only their weeks. No lateral join, which could not
    // run on the machines of a cluster.
    const joined = sql`
      from unnest(${trucks}::uuid[], ${times}::timestamptz[]) with ordinality g (truck_uid, at, n)
      join position p on p.truck_uid = g.truck_uid and p.at between ${first} and ${last}`
    const { rows } = await sql<GpsFix & { n: number }>`
      select f.n, (extract(epoch from f.at) * 1000)::float8 as at, f.latitude, f.longitude from (
        (select g.n, p.at, p.latitude, p.longitude ${joined} and p.at between g.at - ${FIX_COVERS} and g.at + ${FIX_COVERS})
        union all
        (select distinct on (p.truck_uid, g.n) g.n, p.at, p.latitude, p.longitude
           ${joined} and p.at < g.at - ${FIX_COVERS} and p.at >= g.at - ${SILENCE} order by p.truck_uid, g.n, p.at desc)
        union all
        (select distinct on (p.truck_uid, g.n) g.n, p.at, p.latitude, p.longitude
           ${joined} and p.at > g.at + ${FIX_COVERS} and p.at <= g.at + ${SILENCE} order by p.truck_uid, g.n, p.at)
      ) f order by f.n, f.at`.execute(db)
    for (const { n, ...fix } of rows) found[group[n - 1]?.place ?? NaN]?.push(fix)
  }
  return found
}
