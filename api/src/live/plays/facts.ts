import type { MarketArea, TruckSide } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { groupsOfWindow } from '../../platform/db/partitions.ts'
import { trackAround } from '../evidence/index.ts'
import type { HeldShift, PlayClaim, PlayEvidence } from './grade.ts'
import { findOverlaps, LONGEST_REPEATED_MS, longestShowingMs, type TimedPlay } from './overlaps.ts'

interface HoldRow extends Omit<MarketArea, 'radiusM'> {
  uid: string
  program_uid: string
  market_uid: string
  local_date: string
  from_ms: string
  to_ms: string
  radius_m: number | null
}

const iso = (ms: number) => new Date(ms).toISOString()

/** A play with the id that its device gave it. */
export interface IdentifiedClaim extends PlayClaim {
  key: string
}

export const playKey = (deviceUid: string, playId: string): string => `${deviceUid} ${playId}`

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
    track: await trackAround(db, truckUid, times),
    outsideByM,
    overlaps,
    newlyInDoubt: neighbors.filter((play) => overlaps.has(play) && !play.isInDoubt),
  }
}

async function holdsBetween(db: Db, truckUid: string, first: number, last: number): Promise<HeldShift[]> {
  const { rows } = await prepared(sql<HoldRow>`
    select s.uid, s.program_uid, s.market_uid, s.local_date, extract(epoch from lower(h.during)) * 1000 as from_ms,
           extract(epoch from upper(h.during)) * 1000 as to_ms, m.latitude, m.longitude, m.radius_m, m.outline
      from truck_hold h join shift s on s.uid = h.shift_uid join market m on m.uid = s.market_uid
     where h.truck_uid = ${truckUid} and h.during && tstzrange(${iso(first)}::timestamptz, ${iso(last)}::timestamptz, '[]')
     order by h.during`).execute(db)
  return rows.map(heldShiftOf)
}

const heldShiftOf = ({ latitude, longitude, radius_m, outline, ...row }: HoldRow): HeldShift => ({
  uid: row.uid,
  programUid: row.program_uid,
  marketUid: row.market_uid,
  day: row.local_date,
  from: Number(row.from_ms),
  to: Number(row.to_ms),
  area: { latitude, longitude, radiusM: radius_m, outline },
})

/** The longest time for which any file may be shown at once, in milliseconds. */
export const LONGEST_PLAY = sql<number>`
  greatest(${sql.lit(LONGEST_REPEATED_MS)}, (select max(longest_ms) from artwork_set_file))`

// Plays closer together than this share one stretch.
const GAP_MS = 5 * 60_000

interface PlayedStretch {
  from: number
  to: number
}

/** The times that plays cover as separate stretches, so that the days between them are not read. */
function stretchesOfPlays(plays: readonly TimedPlay[]): PlayedStretch[] {
  const stretches: PlayedStretch[] = []
  for (const { at, durationMs } of plays.toSorted((one, other) => one.at - other.at)) {
    const last = stretches.at(-1)
    if (last && at <= last.to + GAP_MS) last.to = Math.max(last.to, at + durationMs)
    else stretches.push({ from: at, to: at + durationMs })
  }
  return stretches
}

interface NeighborRow {
  device_uid: string
  play_id: string
  side: TruckSide
  at: string
  duration_ms: number
  longest_ms: number | null
  is_in_doubt: boolean
}

/** The other stored plays of a truck that may overlap any of these. */
async function playsAround(
  db: Db,
  truckUid: string,
  plays: readonly IdentifiedClaim[],
  longest: number,
): Promise<StoredNeighbor[]> {
  const plausible = plays.filter(({ durationMs, longestMs }) => durationMs <= longestMs)
  const found = new Map<string, StoredNeighbor>()
  for (const stretches of groupsOfWindow(stretchesOfPlays(plausible), ({ from }) => from)) {
    const [since, until] = [stretches.map(({ from }) => iso(from)), stretches.map(({ to }) => iso(to))]
    // Not prepared: with the outermost times known, the planner reads only their weeks.
    const { rows } = await sql<NeighborRow>`
      select p.device_uid, p.play_id, p.side, extract(epoch from p.started_at) * 1000 as at, p.duration_ms, f.longest_ms,
             coalesce(p.reason in ('overlap', 'unknownFile'), false) as is_in_doubt
        from unnest(${since}::timestamptz[], ${until}::timestamptz[]) s (since, until)
        join play p on p.truck_uid = ${truckUid} and p.started_at < s.until
         and p.started_at >= s.since - ${longest} * interval '1 millisecond'
         and p.started_at + p.duration_ms * interval '1 millisecond' > s.since
        left join artwork_set_file f on f.set_uid = p.artwork_set_uid and f.sha256 = p.sha256
       where p.started_at >= ${iso((stretches[0]?.from ?? NaN) - longest)} and p.started_at <= ${until.at(-1)}`.execute(
      db,
    )
    // A play that may overlap two stretches is found twice.
    for (const row of rows) found.set(playKey(row.device_uid, row.play_id), neighborOf(row))
  }
  for (const { key } of plays) found.delete(key)
  return [...found.values()]
}

const neighborOf = (row: NeighborRow): StoredNeighbor => ({
  key: playKey(row.device_uid, row.play_id),
  side: row.side,
  at: Number(row.at),
  durationMs: row.duration_ms,
  longestMs: longestShowingMs(row.longest_ms),
  isInDoubt: row.is_in_doubt,
})
