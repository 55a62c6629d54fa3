import type { GpsFix } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { groupsOfWindow } from '../../platform/db/partitions.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { FIX_COVERS_MS, PARKED_SILENCE_MS } from './rules.ts'

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

/** The fixes of a truck that cover any of these moments, ordered by time. */
export async function trackAround(db: Db, truckUid: string, times: readonly number[]): Promise<GpsFix[]> {
  const fixes: GpsFix[] = []
  const covering = mergeStretches(times.map((at) => ({ from: at - FIX_COVERS_MS, to: at + FIX_COVERS_MS })))
  for (const stretches of groupsOfWindow(covering, ({ from }) => from)) {
    const [since, until] = [stretches.map(({ from }) => iso(from)), stretches.map(({ to }) => iso(to))]
    // Not prepared: with the outermost times known, the planner reads only their weeks.
    const { rows } = await sql<GpsFix>`
      select (extract(epoch from p.at) * 1000)::float8 as at, p.latitude, p.longitude
        from unnest(${since}::timestamptz[], ${until}::timestamptz[]) stretch (since, until)
        join position p on p.truck_uid = ${truckUid} and p.at between stretch.since and stretch.until
       where p.at >= ${since[0]} and p.at <= ${until.at(-1)}
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
/** A fix of a truck's track, and whose it is where no tracker spoke. */
export interface EvidenceFix extends GpsFix {
  by: 'phone' | 'player' | null
}

/** For each moment the fixes that cover it, and the nearest before and after it within the silence of a parked truck. */
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
      join position p on p.truck_uid = g.truck_uid and p.at between ${first} and ${last}`
    const { rows } = await sql<Omit<EvidenceFix, 'by'> & { n: number; truckUid: string }>`
      select f.n, f.truck_uid as "truckUid", (extract(epoch from f.at) * 1000)::float8 as at, f.latitude, f.longitude from (
        (select g.n, p.truck_uid, p.at, p.latitude, p.longitude ${joined} and p.at between g.at - ${FIX_COVERS} and g.at + ${FIX_COVERS})
        union all
        (select distinct on (p.truck_uid, g.n) g.n, p.truck_uid, p.at, p.latitude, p.longitude
           ${joined} and p.at < g.at - ${FIX_COVERS} and p.at >= g.at - ${SILENCE} order by p.truck_uid, g.n, p.at desc)
        union all
        (select distinct on (p.truck_uid, g.n) g.n, p.truck_uid, p.at, p.latitude, p.longitude
           ${joined} and p.at > g.at + ${FIX_COVERS} and p.at <= g.at + ${SILENCE} order by p.truck_uid, g.n, p.at)
      ) f order by f.n, f.at`.execute(db)
    const spoken = await lastResortMinutes(db, [...new Set(rows.map(({ truckUid }) => truckUid))], [first, last])
    for (const { n, truckUid, ...fix } of rows)
      found[group[n - 1]?.place ?? NaN]?.push({ ...fix, by: spoken.get(minuteKey(truckUid, fix.at)) ?? null })
  }
  return found
}

const MINUTE_MS = 60_000
const minuteKey = (truckUid: string, at: number) => `${truckUid} ${Math.floor(at / MINUTE_MS)}`

/** The minutes of trucks in which no tracker spoke, with what did. */
async function lastResortMinutes(
  db: Db,
  trucks: readonly string[],
  [first, last]: readonly [string, string],
): Promise<Map<string, 'phone' | 'player'>> {
  if (trucks.length === 0) return new Map()
  const sources = await db
    .selectFrom('position_source')
    .select(['uid', 'kind'])
    .where('kind', 'in', ['phone', 'player'])
    .execute()
  const kinds = new Map(sources.map(({ uid, kind }) => [uid, kind as 'phone' | 'player']))
  const { rows } = await sql<{ truckUid: string; at: number; source: string }>`
    select truck_uid as "truckUid", (extract(epoch from at) * 1000)::float8 as at, source_uid as source
      from position_minute
     where truck_uid = any(${plainArray(trucks)}::uuid[]) and at >= ${first}::timestamptz - interval '1 minute' and at <= ${last}
       and source_uid = any(${plainArray([...kinds.keys()])}::uuid[])`.execute(db)
  return new Map(
    rows.flatMap(({ truckUid, at, source }) => {
      const kind = kinds.get(source)
      return kind ? [[minuteKey(truckUid, at), kind] as const] : []
    }),
  )
}
