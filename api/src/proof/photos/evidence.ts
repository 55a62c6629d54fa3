import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type Fix, NEAR_MS, SILENT_MS } from './grading.ts'

/** A truck at a moment, in milliseconds since 1970. */
export interface TruckMoment {
  truckUid: string
  at: number
}

const NEAR = `interval '${NEAR_MS} milliseconds'`
const SILENT = `interval '${SILENT_MS} milliseconds'`
const FIX = 'select p.at, p.latitude, p.longitude from position p where p.truck_uid = g.truck_uid'

// Planned anew each time, so that only the days asked for are touched.
const FIXES = `
  select g.n, (extract(epoch from f.at) * 1000)::float8 as at, f.latitude, f.longitude
    from unnest($1::uuid[], $2::timestamptz[]) with ordinality g (truck_uid, at, n)
   cross join lateral (
     (${FIX} and p.at between g.at - ${NEAR} and g.at + ${NEAR} and p.at between $3 and $4)
     union all
     (${FIX} and p.at < g.at - ${NEAR} and p.at >= g.at - ${SILENT} and p.at >= $3 order by p.at desc limit 1)
     union all
     (${FIX} and p.at > g.at + ${NEAR} and p.at <= g.at + ${SILENT} and p.at <= $4 order by p.at limit 1)
   ) f`

const iso = (ms: number) => new Date(ms).toISOString()

/** What each truck's own tracker says of a moment: fixes near to it, and the nearest before and after. */
export async function fixesAround(db: Db, moments: readonly TruckMoment[]): Promise<Fix[][]> {
  const found = moments.map((): Fix[] => [])
  if (moments.length === 0) return found
  const times = moments.map(({ at }) => at)
  const values = [
    moments.map(({ truckUid }) => truckUid),
    times.map(iso),
    iso(times.reduce((one, other) => Math.min(one, other)) - SILENT_MS),
    iso(times.reduce((one, other) => Math.max(one, other)) + SILENT_MS),
  ]
  const { rows } = await db.executeQuery<Fix & { n: number }>(CompiledQuery.raw(FIXES, values))
  for (const { n, ...fix } of rows) found[n - 1]?.push(fix)
  return found
}
