import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { groupsOfWindow } from '../../platform/db/partitions.ts'
import { independentOf, mergeStretches, trackAround } from '../evidence/index.ts'
import type { HeldShift, PlayClaim, PlayEvidence } from './grade.ts'
import { findOverlaps, LONGEST_REPEATED_MS, longestShowingMs, type TimedPlay } from './overlaps.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** A play with its key: its device and the id that the device gave it. */
export interface IdentifiedClaim extends PlayClaim {
  key: string
}

/** A stored play near the plays that are graded. */
interface StoredNeighbor extends TimedPlay {
  key: string
  isInDoubt: boolean
}

interface EvidenceWithNeighbors extends PlayEvidence {
  /** Stored plays that are in doubt only now, because one of the graded plays overlaps them. */
  newlyInDoubt: StoredNeighbor[]
}

/** What grading is told beforehand. */
export interface GradingLimits {
  /** How far outside its market a truck must be, in meters. */
  outsideByM: number
  /** The longest time for which any file may be shown at once: older plays are over. */
  longestMs: number
}

/** The evidence for plays of a truck. */
export async function evidenceFor(
  db: Db,
  truckUid: string,
  plays: readonly IdentifiedClaim[],
  { outsideByM, longestMs }: GradingLimits,
): Promise<EvidenceWithNeighbors> {
  const times = plays.map(({ at }) => at).toSorted((one, other) => one - other)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) {
    return { holds: [], track: [], outsideByM, overlaps: new Set(), newlyInDoubt: [] }
  }
  const neighbors = await playsAround(db, truckUid, plays, longestMs)
  const overlaps = findOverlaps<TimedPlay>([...plays, ...neighbors])
  return {
    holds: await holdsBetween(db, truckUid, first, last),
    track: independentOf('player', await trackAround(db, truckUid, times)),
    outsideByM,
    overlaps,
    newlyInDoubt: neighbors.filter((play) => overlaps.has(play) && !play.isInDoubt),
  }
}

async function holdsBetween(db: Db, truckUid: string, first: number, last: number): Promise<HeldShift[]> {
  const { rows } = await prepared(sql<HeldShift>`
    select s.uid, s.program_uid as "programUid", s.market_uid as "marketUid", s.local_date as day,
           (extract(epoch from lower(h.during)) * 1000)::float8 as "from",
           (extract(epoch from upper(h.during)) * 1000)::float8 as "to", json_build_object(
             'latitude', m.latitude, 'longitude', m.longitude, 'radiusM', m.radius_m, 'outline', m.outline) as area
      from truck_hold h join shift s on s.uid = h.shift_uid join market m on m.uid = s.market_uid
     where h.truck_uid = ${truckUid} and h.during && tstzrange(${iso(first)}::timestamptz, ${iso(last)}::timestamptz, '[]')
     order by h.during`).execute(db)
  return rows
}

/** The longest time for which any file may be shown at once, in milliseconds. */
export const LONGEST_PLAY = sql<number>`
  greatest(${sql.lit(LONGEST_REPEATED_MS)}, (select max(longest_ms) from artwork_set_file))`

/** The other stored plays of a truck that may overlap any of these. */
async function playsAround(
  db: Db,
  truckUid: string,
  plays: readonly IdentifiedClaim[],
  longest: number,
): Promise<StoredNeighbor[]> {
  const plausible = plays.filter(({ durationMs, longestMs }) => durationMs <= longestMs)
  const found = new Map<string, StoredNeighbor>()
  const played = mergeStretches(plausible.map(({ at, durationMs }) => ({ from: at, to: at + durationMs })))
  for (const stretches of groupsOfWindow(played, ({ from }) => from)) {
    const [since, until] = [stretches.map(({ from }) => iso(from)), stretches.map(({ to }) => iso(to))]
    // Not prepared: with the outermost times known, the planner reads only their weeks.
    const { rows } = await sql<Omit<StoredNeighbor, 'longestMs'> & { longestMs: number | null }>`
      select p.device_uid || ' ' || p.play_id as key, p.side, (extract(epoch from p.started_at) * 1000)::float8 as at,
             p.duration_ms as "durationMs", f.longest_ms as "longestMs",
             coalesce(p.reason in ('overlap', 'unknownFile'), false) as "isInDoubt"
        from unnest(${since}::timestamptz[], ${until}::timestamptz[]) s (since, until)
        join play p on p.truck_uid = ${truckUid} and p.started_at < s.until
         and p.started_at >= s.since - ${longest} * interval '1 millisecond'
         and p.started_at + p.duration_ms * interval '1 millisecond' > s.since
        left join artwork_set_file f on f.set_uid = p.artwork_set_uid and f.sha256 = p.sha256
       where p.started_at >= ${iso((stretches[0]?.from ?? NaN) - longest)} and p.started_at <= ${until.at(-1)}`.execute(
      db,
    )
    // A play that may overlap two stretches is found twice.
    for (const play of rows) found.set(play.key, { ...play, longestMs: longestShowingMs(play.longestMs) })
  }
  for (const { key } of plays) found.delete(key)
  return [...found.values()]
}
