import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { TrackPoint } from '@roadshow/contract'
import { type TrackProgress, trackOf } from './miles.ts'
import type { TimeRange } from './time-ranges.ts'

/** Hours of a truck, with their track. */
export interface TrackSection extends TimeRange {
  truck: string
  /** Undefined until it is computed from the stored positions. */
  track: TrackProgress | undefined
}

// A day of a busy truck has some ten thousand positions.
const AT_ONCE = 10

/** Computes the missing tracks from the stored positions. */
export async function readTracks(db: Db, sections: readonly TrackSection[]): Promise<void> {
  const missing = sections.filter(({ track }) => track === undefined)
  for (let done = 0; done < missing.length; done += AT_ONCE) {
    const some = missing.slice(done, done + AT_ONCE)
    const fixes = await readFixes(db, some)
    for (const [index, section] of some.entries()) section.track = trackOf(fixes[index] ?? [])
  }
}

async function readFixes(db: Db, sections: readonly TrackSection[]): Promise<TrackPoint[][]> {
  // The condition on the outermost hours limits the search to their days.
  const { rows } = await sql<TrackPoint & { n: number }>`
    select n::int4 as n, p.*
      from unnest(${sections.map(({ truck }) => truck)}::uuid[], ${sections.map(({ from }) => from)}::float8[],
                  ${sections.map(({ to }) => to)}::float8[]) with ordinality g (truck_uid, from_ms, to_ms, n)
     cross join lateral (
      select (extract(epoch from at) * 1000)::float8 as at, latitude, longitude, speed_kmh as "speedKmh"
        from position p
       where p.truck_uid = g.truck_uid
         and p.at >= to_timestamp(g.from_ms / 1000) and p.at < to_timestamp(g.to_ms / 1000)
         and p.at >= ${new Date(Math.min(...sections.map(({ from }) => from)) - 1)}
         and p.at < ${new Date(Math.max(...sections.map(({ to }) => to)) + 1)}
       order by p.at) p`.execute(db)
  const fixes: TrackPoint[][] = sections.map(() => [])
  for (const { n, ...fix } of rows) fixes[n - 1]?.push(fix)
  return fixes
}

/** The distance of each section by odometer, from its first reading to its last; none with fewer than two readings. */
export async function odometerDistances<S extends TrackSection>(
  db: Db,
  sections: readonly S[],
): Promise<Map<S, number>> {
  if (sections.length === 0) return new Map()
  const { rows } = await sql<{ n: number; metres: number }>`
    select n::int4 as n, last.metres - first.metres as metres
      from unnest(${sections.map(({ truck }) => truck)}::uuid[], ${sections.map(({ from }) => from)}::float8[],
                  ${sections.map(({ to }) => to)}::float8[]) with ordinality g (truck_uid, from_ms, to_ms, n)
     cross join lateral (
      select r.at, r.metres from odometer_reading r
       where r.truck_uid = g.truck_uid and r.at >= to_timestamp(g.from_ms / 1000) and r.at < to_timestamp(g.to_ms / 1000)
       order by r.at limit 1) first
     cross join lateral (
      select r.at, r.metres from odometer_reading r
       where r.truck_uid = g.truck_uid and r.at >= to_timestamp(g.from_ms / 1000) and r.at < to_timestamp(g.to_ms / 1000)
       order by r.at desc limit 1) last
     where last.at > first.at and last.metres >= first.metres`.execute(db)
  return new Map(rows.map(({ n, metres }) => [sections[n - 1] as S, metres]))
}
