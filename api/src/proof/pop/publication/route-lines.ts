import { type Depot, type GpsFix, metersBetween, type Point, type TrackPoint } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { SqlFragment } from '../../../platform/db/records/fragments.ts'
import { rowsAsTable } from '../../../platform/db/rows-as-table.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { readSettings } from '../../../catalog/settings/index.ts'
import { isPlausibleFix, EMPTY_TRACK, withFix } from '../../../live/telemetry/index.ts'
import { heldHours, tookPlace } from '../../../planning/shifts/index.ts'
import { encodePolyline, type LatLng } from './polyline.ts'
import { simplifyLine } from './simplify.ts'

// Parking places are private: a route starts and ends this far from depots and from the ends of its shift.
const AROUND_DEPOT_M = 500
export const AROUND_END_M = 300

/** Whether a place is so close to a depot that the public does not see it. */
export const isNearDepot = (place: Point, depots: readonly Depot[]): boolean =>
  depots.some((depot) => metersBetween(depot, place) < Math.max(AROUND_DEPOT_M, depot.radiusM))
// A truck that stays this long near a depot is not just passing it.
const STAY_MS = 5 * 60_000
const SILENCE_MS = 5 * 60_000

// A map shows no more shifts; they are chosen evenly over the market's time.
const MOST_SHIFTS = 60
// One fix every 20 seconds shows the route as well.
const MOMENT = sql.raw('floor(extract(epoch from p.at) / 20)')
// About 65 ft, in degrees of latitude.
const TOLERANCE = 0.00018

interface HiddenPlace extends Point {
  meters: number
}

/** A shift whose route is drawn, in the order of the shifts. */
interface DrivenShift {
  market: string
  depots: Depot[]
  truck: string
  /** The hours in which it held the truck, as a multirange, and their ends. */
  hours: string
  from: string
  to: string
}

const SHIFTS_AT_ONCE = 4

/** Routes as encoded lines, by the uid of the market. */
async function encodeRoutes(db: Db, shifts: readonly DrivenShift[]): Promise<Map<string, string[]>> {
  const routes = new Map<string, string[]>()
  // A few shifts at a time, because a market has a hundred thousand fixes and only a few points are drawn.
  for (let start = 0; start < shifts.length; start += SHIFTS_AT_ONCE) {
    const some = shifts.slice(start, start + SHIFTS_AT_ONCE)
    const heard = await readHeard(db, some)
    for (const [index, { market, depots }] of some.entries()) {
      const lines = publicLines(heard.get(index) ?? [], depots)
      const encoded = lines.map((line) => encodePolyline(simplifyLine(line, TOLERANCE)))
      routes.set(market, [...(routes.get(market) ?? []), ...encoded])
    }
  }
  return routes
}

/** Selects the shifts `d` that held their trucks, from shifts with their `hours`. */
const selectDriven = (shifts: SqlFragment) => sql`
  select d.market_uid as market, m.depots, d.truck_uid as truck, d.hours::text as hours, lower(d.hours) as "from",
         upper(d.hours) as "to"
    from (${shifts}) d join market m on m.uid = d.market_uid
   where not isempty(d.hours)`

/** The routes of a program in these markets. */
export async function loadRoutes(db: Db, programUid: string, marketUids: readonly string[]) {
  // Positions of older shifts are deleted.
  const { keepPositionsDays } = await readSettings(db)
  const { rows } = await sql<DrivenShift>`
    ${selectDriven(sql`
      select s.market_uid, s.truck_uid, s.starts_at, s.uid, ${heldHours('s')} as hours,
             row_number() over (partition by s.market_uid order by s.starts_at, s.uid) as place,
             count(*) over (partition by s.market_uid) as total
        from shift s
       where s.program_uid = ${programUid} and s.starts_at > now() - make_interval(days => ${keepPositionsDays})
         and s.market_uid = any(${marketUids}::uuid[]) and ${tookPlace('s')}`)}
       and (d.place * ${MOST_SHIFTS} / greatest(d.total, ${MOST_SHIFTS})
            <> (d.place - 1) * ${MOST_SHIFTS} / greatest(d.total, ${MOST_SHIFTS}) or d.total <= ${MOST_SHIFTS})
     order by d.starts_at, d.uid`.execute(db)
  return encodeRoutes(db, rows)
}

// Older routes say nothing about a campaign that runs.
const RECENT = sql`interval '14 days'`

/** The routes of the last shifts of a program that were over at a moment. */
export async function loadRecentRoutes(db: Db, programUid: string, { most, overAt }: { most: number; overAt: Date }) {
  const { rows } = await sql<DrivenShift>`
    ${selectDriven(sql`
      select s.market_uid, s.truck_uid, s.starts_at, s.uid, ${heldHours('s')} as hours from shift s
       where s.program_uid = ${programUid} and s.starts_at > ${overAt}::timestamptz - ${RECENT}
         and s.starts_at < ${overAt}::timestamptz and ${tookPlace('s')}`)}
       and upper(d.hours) <= ${overAt}::timestamptz
     order by d.starts_at desc, d.uid limit ${most}`.execute(db)
  return encodeRoutes(db, rows)
}

/** The thinned fixes of some shifts by their place. */
async function readHeard(db: Db, shifts: readonly DrivenShift[]): Promise<Map<number, GpsFix[]>> {
  const given = rowsAsTable(
    'g',
    shifts,
    {
      truck_uid: ['uuid', ({ truck }) => truck],
      hours: ['text', ({ hours }) => hours],
      since: ['timestamptz', ({ from }) => from],
      until: ['timestamptz', ({ to }) => to],
    },
    { ordinality: 'n' },
  )
  const [first] = shifts.map(({ from }) => from).toSorted()
  const ends = shifts.map(({ to }) => to).toSorted()
  // Not prepared: with the outermost times known, the planner reads only their weeks.
  const { rows } = await sql<GpsFix & { n: number }>`
    select distinct on (g.n, ${MOMENT}) g.n, (extract(epoch from p.at) * 1000)::float8 as at, p.latitude, p.longitude
      from ${given} join position p on p.truck_uid = g.truck_uid and p.at >= g.since and p.at < g.until
       and p.at <@ g.hours::tstzmultirange
     where p.at >= ${first} and p.at < ${ends.at(-1)}
     order by g.n, ${MOMENT}, p.at`.execute(db)
  return groupBy(rows, ({ n }) => n - 1)
}

/** The lines that a truck drove on a shift, without its parking places. */
export function publicLines(heard: readonly GpsFix[], depots: readonly Depot[]): LatLng[][] {
  const lines = plausibleLines(heard)
  const ends = [lines[0]?.[0], lines.at(-1)?.at(-1)].filter((end) => end !== undefined)
  const hidden = [
    ...depots.map((depot) => ({ ...depot, meters: Math.max(AROUND_DEPOT_M, depot.radiusM) })),
    ...ends.map((end) => ({ ...end, meters: AROUND_END_M })),
  ]
  return lines
    .flatMap((line) => withoutStays(line, hidden))
    .filter((line) => line.length > 1)
    .map((line) => line.map(({ latitude, longitude }): LatLng => [latitude, longitude]))
}

/** Lines of plausible fixes: a silence or a GPS jump starts a new line. */
function plausibleLines(heard: readonly GpsFix[]): TrackPoint[][] {
  const lines: TrackPoint[][] = []
  let track = EMPTY_TRACK
  for (const { at, latitude, longitude } of heard) {
    // Recorded speeds belong to fixes that are left out here, so any possible speed is accepted.
    const fix = { at, latitude, longitude, speedKmh: null }
    if (!isPlausibleFix(fix, Number.POSITIVE_INFINITY)) continue
    const next = withFix(track, fix)
    const isSilence = track.last !== null && fix.at - track.last.at > SILENCE_MS
    if (next.anchor === fix) {
      const goesOn = next.meters > track.meters && !isSilence
      if (goesOn) lines.at(-1)?.push(fix)
      else lines.push([fix])
    }
    track = next
  }
  return lines
}

/** The parts of a line outside the hidden places in which it starts, stays or ends. */
function withoutStays(line: readonly TrackPoint[], hidden: readonly HiddenPlace[]): TrackPoint[][] {
  const isHidden = line.map((fix) => hidden.some((place) => metersBetween(place, fix) < place.meters))
  const parts: TrackPoint[][] = [[]]
  for (let from = 0; from < line.length;) {
    let to = from
    while (to < line.length && isHidden[to] === isHidden[from]) to++
    const stayed = (line[to]?.at ?? 0) - (line[from]?.at ?? 0)
    const isCut = isHidden[from] && (from === 0 || to === line.length || stayed > STAY_MS)
    if (isCut) parts.push([])
    else parts.at(-1)?.push(...line.slice(from, to))
    from = to
  }
  return parts
}
