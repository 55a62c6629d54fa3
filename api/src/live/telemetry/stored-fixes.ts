import type { TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import type { TimeRange } from './time-ranges.ts'

/** The stored positions of trucks within a range of time, in their order. */
export async function readFixes(
  db: Db,
  trucks: readonly string[],
  { from, to }: TimeRange,
): Promise<Map<string, TrackPoint[]>> {
  const { rows } = await sql<TrackPoint & { truck: string }>`
    select truck_uid as truck, (extract(epoch from at) * 1000)::float8 as at, latitude, longitude,
           speed_kmh as "speedKmh"
      from position
     where truck_uid = any(${plainArray(trucks)}::uuid[]) and at >= ${new Date(from)} and at < ${new Date(to)}
     order by truck_uid, at`.execute(db)
  return groupBy(rows, ({ truck }) => truck)
}
