import {
  type adLog,
  type AdLogSummary,
  type PlayFigures,
  type QueryOf,
  type TruckSide,
  truckSides,
} from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { clientOf, selectSpans } from './spans.ts'

type Query = QueryOf<typeof adLog.summary>
type Counted = PlayFigures & { missing: number }

interface Group {
  day: string | null
  side: TruckSide | null
  truck: string | null
  number: string | null
  plays: number
  ms: number
  verified: number
  conflict: number
}

interface Hole {
  day: string
  truck: string
  number: string
  missing: number
}

interface Found {
  isThere: boolean
  zones: string[] | null
  keptSince: string | null
  groups: Group[] | null
  holes: Hole[] | null
}

/** Which rows somebody asks for who may see those of one client, or all; and whether there is such a program. */
function askedFor(values: Values, query: Query, client: string | null) {
  const [program, truck] = [
    query.program && values.add(query.program),
    query.truck && `${values.add(query.truck)}::uuid[]`,
  ]
  const ofClient = client !== null && values.add(client)
  const conditions = (of: 'h' | 's') => [
    ...(program ? [`${of}.program_uid = ${program}`] : []),
    ...(ofClient && !program
      ? [`${of}.program_uid in (select uid from client_program where client_uid = ${ofClient})`]
      : []),
    ...(truck ? [`${of}.truck_uid = any(${truck})`] : []),
  ]
  const isThere = program
    ? `exists (select from client_program where uid = ${program} ${ofClient ? `and client_uid = ${ofClient}` : ''})`
    : 'true'
  return { conditions, isThere }
}

/**
 * Plays by hour, by side and by truck. Hours are looked up by time alone, all at once (offset 0), and told apart by the
 * market afterwards.
 */
const addHours = (conditions: readonly string[]) => `
  select h.hour, p.zone, h.side, h.truck_uid, sum(h.plays) as plays, sum(h.duration_ms)::bigint as ms,
         sum(h.verified) as verified, sum(h.conflict) as conflict
    from (select * from play_hour h
           where ${[
             ...conditions,
             `h.hour >= (select min("from") from span) and h.hour < (select max(until) from span)`,
           ].join(' and ')} offset 0) h
    join place p on p.market_uid = h.market_uid and h.hour >= p."from" and h.hour < p.until
   group by grouping sets ((h.hour, p.zone), (h.side), (h.truck_uid))`

/**
 * The same by day instead of hour. To find the local day of an hour takes longer than adding it up: it is done once for
 * all plays of that hour.
 */
const GROUPS = `
  select g.*, t.number from (
    select (a.hour at time zone a.zone)::date as day, a.side, a.truck_uid as truck, sum(a.plays)::bigint as plays,
           sum(a.ms)::bigint as ms, sum(a.verified)::bigint as verified, sum(a.conflict)::bigint as conflict
      from added a group by 1, 2, 3) g
    left join truck t on t.uid = g.truck`

/** Plays that are missing, by the shift on which the first play after them was. */
const countMissing = (conditions: readonly string[]) => `
  select (date_trunc('hour', e.at) at time zone p.zone)::date as day, e.truck_uid as truck, t.number,
         sum(missing_before(q.received, e.sequence))::bigint as missing
    from shift s join place p on p.market_uid = s.market_uid join truck t on t.uid = s.truck_uid
    join play_after_hole e on e.truck_uid = s.truck_uid and e.at >= p."from" and e.at < p.until
     and e.at >= lower(driven_hours(s)) and e.at < upper(driven_hours(s))
    join play_sequence q on q.device_uid = e.device_uid
   where ${[
     ...conditions,
     // Nobody starts or stops farther from the plan.
     `s.starts_at >= (select min("from") from span) - interval '2 days'`,
     `s.starts_at < (select max(until) from span) + interval '2 days'`,
   ].join(' and ')}
     and s.deleted_at is null
     -- Of two shifts at once it is the later one's.
     and not exists (select from shift o where o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
                        and o.starts_at between s.starts_at - interval '2 days' and s.starts_at + interval '2 days'
                        and driven_hours(o) @> e.at and lower(driven_hours(o)) > lower(driven_hours(s)))
   group by 1, 2, 3 having sum(missing_before(q.received, e.sequence)) > 0`

/** Everything of a summary, asked for at once: each further question would take as long as counting. */
async function find(db: Db, query: Query, client: string | null): Promise<Found> {
  const values = new Values()
  const { conditions, isThere } = askedFor(values, query, client)
  const hours = [...conditions('h'), ...(query.side ? [`h.side = any(${values.add(query.side)}::text[])`] : [])]
  const statement = `
    with span as materialized (${selectSpans(values, query)}),
    place as (select unnest(markets) as market_uid, zone, "from", until from span),
    added as (${addHours(hours)}),
    groups as (${GROUPS}),
    holes as (${countMissing(conditions('s'))})
    select ${isThere} as "isThere", (select array_agg(zone order by zone) from span) as zones,
           plays_kept_since() as "keptSince", (select json_agg(g) from groups g) as groups,
           (select json_agg(h) from holes h) as holes`
  const { rows } = await db.executeQuery<Found>(CompiledQuery.raw(prepared(statement), values.list))
  return rows[0] as Found
}

const nothing = (): Counted => ({ plays: 0, seconds: 0, verified: 0, unverified: 0, conflict: 0, missing: 0 })

const figuresOf = ({ plays, ms, verified, conflict }: Group): PlayFigures => ({
  plays,
  seconds: Math.floor(ms / 1000),
  verified,
  unverified: plays - verified - conflict,
  conflict,
})

/** Of everything, from the sides: seconds are rounded once, as everywhere. */
function totalOf(groups: Group[], holes: Hole[]): Counted {
  const whole: Group = { day: null, side: null, truck: null, number: null, plays: 0, ms: 0, verified: 0, conflict: 0 }
  for (const group of groups.filter(({ side }) => side !== null)) {
    for (const name of ['plays', 'ms', 'verified', 'conflict'] as const) whole[name] += group[name]
  }
  return { ...figuresOf(whole), missing: holes.reduce((sum, { missing }) => sum + missing, 0) }
}

// As people count: T-2 before T-10.
const naturally = new Intl.Collator('en', { numeric: true })

/** Plays and holes by a key, in the order in which they come. */
function byKey(groups: Group[], holes: Hole[], key: 'day' | 'truck'): Map<string, Counted> {
  const found = new Map<string, Counted>()
  for (const group of groups) {
    const of = group[key]
    if (of !== null) found.set(of, { ...nothing(), ...figuresOf(group) })
  }
  for (const hole of holes) {
    const known = found.get(hole[key]) ?? nothing()
    found.set(hole[key], { ...known, missing: known.missing + hole.missing })
  }
  return found
}

/** Plays by day, side and truck with their grades, and how many are missing. */
export async function summaryOfPlays(db: Db, scope: Scope, query: Query): Promise<AdLogSummary> {
  const found = await find(db, query, clientOf(scope))
  if (!found.isThere || (query.market && !found.zones)) throw new AppError('notFound')
  const [groups, holes] = [found.groups ?? [], found.holes ?? []]
  const numbers = new Map([...groups, ...holes].map(({ truck, number }) => [truck, number ?? '']))
  return {
    zones: found.zones ?? [],
    total: totalOf(groups, holes),
    days: [...byKey(groups, holes, 'day')]
      .map(([day, figures]) => ({ day, ...figures }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    sides: truckSides.flatMap((side) =>
      groups.filter((group) => group.side === side).map((group) => ({ side, ...figuresOf(group) })),
    ),
    trucks: [...byKey(groups, holes, 'truck')]
      .map(([uid, figures]) => ({ truck: { uid, name: numbers.get(uid) ?? '' }, ...figures }))
      .toSorted((one, other) => naturally.compare(one.truck.name, other.truck.name)),
    keptSince: found.keptSince,
  }
}
