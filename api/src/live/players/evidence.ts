import type { MarketArea } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { type Evidence, type Fix, NEAR_MS, type DrivenShift } from './judge.ts'

// Started and stopped at most a day before and after it was planned to be.
const SHIFTS = prepared(`
  select s.uid, s.program_uid, s.market_uid, extract(epoch from lower(driven_hours(s))) * 1000 as starts_at,
         extract(epoch from upper(driven_hours(s))) * 1000 as ends_at, m.latitude, m.longitude, m.radius_m, m.outline
    from shift s join market m on m.uid = s.market_uid
   where s.truck_uid = $1 and s.deleted_at is null
     and s.starts_at > $2::timestamptz - interval '3 days' and s.starts_at < $3::timestamptz + interval '2 days'
     and driven_hours(s) && tstzrange($2, $3, '[]')
   order by 4, s.starts_at`)

// Planned anew each time, so that only the days asked for are touched.
const TRACK = `
  select extract(epoch from p.at) * 1000 as at, p.latitude, p.longitude
    from unnest($2::timestamptz[], $3::timestamptz[]) span (since, until)
    join position p on p.truck_uid = $1 and p.at between span.since and span.until
   where p.at >= $4 and p.at <= $5
   order by p.at`

interface ShiftRow extends Omit<MarketArea, 'radiusM'> {
  uid: string
  program_uid: string
  market_uid: string
  starts_at: string
  ends_at: string
  radius_m: number | null
}

const iso = (ms: number) => new Date(ms).toISOString()

// Plays closer than this share a stretch of track.
const GAP_MS = 5 * 60_000

/** Stretches of time around some moments in order, so that days between them are not read. */
function spansAround(times: readonly number[]): { since: number; until: number }[] {
  const spans: { since: number; until: number }[] = []
  for (const at of times) {
    const last = spans.at(-1)
    if (last && at - NEAR_MS <= last.until + GAP_MS) last.until = at + NEAR_MS
    else spans.push({ since: at - NEAR_MS, until: at + NEAR_MS })
  }
  return spans
}

/** What plays of a truck at these moments are judged by. */
export async function evidenceFor(
  db: Db,
  truckUid: string,
  moments: readonly number[],
  outsideByM: number,
): Promise<Evidence> {
  const times = moments.toSorted((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return { shifts: [], track: [], outsideByM }
  const shifts = await db.executeQuery<ShiftRow>(CompiledQuery.raw(SHIFTS, [truckUid, iso(first), iso(last)]))
  return { shifts: shifts.rows.map(shiftOf), track: await trackOf(db, truckUid, times), outsideByM }
}

async function trackOf(db: Db, truckUid: string, times: readonly number[]): Promise<Fix[]> {
  const spans = spansAround(times)
  const [since, until] = [spans.map((span) => iso(span.since)), spans.map((span) => iso(span.until))]
  const { rows } = await db.executeQuery<{ at: string; latitude: number; longitude: number }>(
    CompiledQuery.raw(TRACK, [truckUid, since, until, since[0], until.at(-1)]),
  )
  return rows.map(({ at, latitude, longitude }) => ({ at: Number(at), latitude, longitude }))
}

const shiftOf = ({ latitude, longitude, radius_m, outline, ...row }: ShiftRow): DrivenShift => ({
  uid: row.uid,
  programUid: row.program_uid,
  marketUid: row.market_uid,
  startsAt: Number(row.starts_at),
  endsAt: Number(row.ends_at),
  area: { latitude, longitude, radiusM: radius_m, outline },
})
