import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { groupsOfWindow } from '../../platform/db/partitions.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { FIX_COVERS_MS, fixesPlacing, PARKED_SILENCE_MS } from './rules.ts'
import { type EvidenceFix, independentOf, type LastResort, PHONE_SOURCE, PLAYER_SOURCE } from './sources.ts'

const iso = (ms: number) => new Date(ms).toISOString()

// What is closer together than this is read as one stretch.
const GAP_MS = 5 * 60_000

interface Stretch {
  from: number
  to: number
}

/** Times of a truck as few separate stretches in their order, so that the days between them are not read. */
export function mergeStretches(times: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = []
  for (const { from, to } of times.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to + GAP_MS) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

const MINUTE_MS = 60_000

/** Fix `p` with the minute `m` in which a source of last resort counts, for fixes between two moments. */
const withMinutes = (first: string, last: string) => sql`
  left join position_minute m on m.truck_uid = p.truck_uid and m.at = date_bin('1 minute', p.at, timestamptz 'epoch')
        and m.source_uid in (${sql.lit(PHONE_SOURCE)}, ${sql.lit(PLAYER_SOURCE)})
        and m.at >= ${iso(Date.parse(first) - MINUTE_MS)} and m.at <= ${last}`
const BY = sql`case m.source_uid when ${sql.lit(PHONE_SOURCE)} then 'phone' when ${sql.lit(PLAYER_SOURCE)} then 'player' end`

/** The fixes of a truck that cover any of these moments, ordered by time, whatever their source. */
export async function trackAround(db: Db, truckUid: string, times: readonly number[]): Promise<EvidenceFix[]> {
  const fixes: EvidenceFix[] = []
  const covering = mergeStretches(times.map((at) => ({ from: at - FIX_COVERS_MS, to: at + FIX_COVERS_MS })))
  for (const stretches of groupsOfWindow(covering, ({ from }) => from)) {
    const [since, until] = [stretches.map(({ from }) => iso(from)), stretches.map(({ to }) => iso(to))]
    const [first, last] = [since[0] ?? '', until.at(-1) ?? '']
    // Not prepared: with the outermost times known, the planner reads only their weeks.
    const { rows } = await sql<EvidenceFix>`
      select (extract(epoch from p.at) * 1000)::float8 as at, p.latitude, p.longitude, ${BY} as by
        from unnest(${since}::timestamptz[], ${until}::timestamptz[]) stretch (since, until)
        join position p on p.truck_uid = ${truckUid} and p.at between stretch.since and stretch.until
        ${withMinutes(first, last)}
       where p.at >= ${first} and p.at <= ${last}
       order by p.at`.execute(db)
    for (const fix of rows) fixes.push(fix)
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

/**
 * For each moment the fixes that cover it, and the nearest before and after it within the silence of a parked truck, one
 * of trackers, of phones and of players each: a device's own are left out where its evidence is judged.
 */
export async function fixesAround(db: Db, moments: readonly TruckMoment[]): Promise<EvidenceFix[][]> {
  const found = moments.map((): EvidenceFix[] => [])
  const ordered = moments.map((moment, place) => ({ ...moment, place })).toSorted((one, other) => one.at - other.at)
  for (const group of groupsOfWindow(ordered, ({ at }) => at)) {
    const first = iso((group[0]?.at ?? NaN) - PARKED_SILENCE_MS)
    const last = iso((group.at(-1)?.at ?? NaN) + PARKED_SILENCE_MS)
    const [trucks, times] = [group.map(({ truckUid }) => truckUid), group.map(({ at }) => iso(at))]
    // Not prepared: with the outermost times known, the planner reads only their weeks. No lateral join, which could not
    // run on the machines of a cluster.
    const joined = sql`
      from unnest(${trucks}::uuid[], ${times}::timestamptz[]) with ordinality g (truck_uid, at, n)
      join position p on p.truck_uid = g.truck_uid and p.at between ${first} and ${last}
      ${withMinutes(first, last)}`
    const fix = sql`g.n, p.truck_uid, p.at, p.latitude, p.longitude, ${BY} as by`
    const nearest = sql`distinct on (p.truck_uid, g.n, ${BY}) ${fix}`
    const { rows } = await sql<EvidenceFix & { n: number }>`
      select f.n, (extract(epoch from f.at) * 1000)::float8 as at, f.latitude, f.longitude, f.by from (
        (select ${fix} ${joined} where p.at between g.at - ${FIX_COVERS} and g.at + ${FIX_COVERS})
        union all
        (select ${nearest} ${joined} where p.at < g.at - ${FIX_COVERS} and p.at >= g.at - ${SILENCE}
          order by p.truck_uid, g.n, ${BY}, p.at desc)
        union all
        (select ${nearest} ${joined} where p.at > g.at + ${FIX_COVERS} and p.at <= g.at + ${SILENCE}
          order by p.truck_uid, g.n, ${BY}, p.at)
      ) f order by f.n, f.at`.execute(db)
    for (const { n, ...row } of rows) found[group[n - 1]?.place ?? NaN]?.push(row)
  }
  return found
}

/** The trucks that a phone has placed in minutes around moments: for the others nothing more is read. */
async function trucksOfPhones(db: Db, moments: readonly TruckMoment[]): Promise<Set<string>> {
  const trucks = new Set<string>()
  const ordered = moments.toSorted((one, other) => one.at - other.at)
  for (const group of groupsOfWindow(ordered, ({ at }) => at)) {
    const first = iso((group[0]?.at ?? NaN) - FIX_COVERS_MS - MINUTE_MS)
    const last = iso((group.at(-1)?.at ?? NaN) + FIX_COVERS_MS)
    const { rows } = await sql<{ truckUid: string }>`
      select distinct truck_uid as "truckUid" from position_minute
       where truck_uid = any(${plainArray([...new Set(group.map(({ truckUid }) => truckUid))])}::uuid[])
         and source_uid = ${PHONE_SOURCE}::uuid and at >= ${first} and at <= ${last}`.execute(db)
    for (const { truckUid } of rows) trucks.add(truckUid)
  }
  return trucks
}

/** For each moment of a play what verifies it where no tracker does: null for a tracker, and without a track. */
export async function playVerifiers(
  db: Db,
  moments: readonly TruckMoment[],
): Promise<(Exclude<LastResort, 'player'> | null)[]> {
  const tracks = new Map<string, EvidenceFix[]>()
  for (const truckUid of moments.length > 0 ? await trucksOfPhones(db, moments) : []) {
    const times = moments.filter((moment) => moment.truckUid === truckUid).map(({ at }) => at)
    tracks.set(truckUid, independentOf('player', await trackAround(db, truckUid, times)))
  }
  return moments.map(({ truckUid, at }) =>
    fixesPlacing(tracks.get(truckUid) ?? [], at).some(({ by }) => by === 'phone') ? 'phone' : null,
  )
}
