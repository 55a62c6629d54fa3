import {
  type adLog,
  type AdLogSummary,
  type PlayFigures,
  type QueryOf,
  type TruckSide,
  truckSides,
} from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../db/connection.ts'
import { Values } from '../db/pieces.ts'
import type { Scope } from '../db/scope.ts'
import { clientOf, programOf, type Span, spansOf, within } from './spans.ts'

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

/** Which rows somebody asks for who may see those of one client, or all. */
function conditionsOf(values: Values, { program, truck }: Query, client: string | null, of: 'h' | 's'): string[] {
  return [
    ...(program ? [`${of}.program_uid = ${values.add(program)}`] : []),
    ...(client !== null && !program
      ? [`${of}.program_uid in (select uid from client_program where client_uid = ${values.add(client)})`]
      : []),
    ...(truck ? [`${of}.truck_uid = any(${values.add(truck)}::uuid[])`] : []),
  ]
}

/** Plays by day, by side and by truck, from the hours. */
async function groupsOf(db: Db, query: Query, client: string | null, spans: readonly Span[]): Promise<Group[]> {
  const values = new Values()
  const { from, until } = wholeOf(spans)
  const conditions = [
    ...conditionsOf(values, query, client, 'h'),
    within(values, spans, 'h.market_uid', 'h.hour'),
    `h.hour >= ${values.add(from)}::timestamptz and h.hour < ${values.add(until)}::timestamptz`,
    ...(query.side ? [`h.side = any(${values.add(query.side)}::text[])`] : []),
  ]
  // Added up once, and the little that is left of it three times.
  const statement = `
    with days as (
      select (h.hour at time zone m.zone)::date as day, h.side, h.truck_uid, sum(h.plays) as plays,
             sum(h.duration_ms)::bigint as ms, sum(h.verified) as verified, sum(h.conflict) as conflict
        from play_hour h join market m on m.uid = h.market_uid where ${conditions.join(' and ')} group by 1, 2, 3
    )
    select g.*, t.number from (
      select d.day, d.side, d.truck_uid as truck, sum(d.plays)::bigint as plays, sum(d.ms)::bigint as ms,
             sum(d.verified)::bigint as verified, sum(d.conflict)::bigint as conflict
        from days d group by grouping sets ((1), (2), (3))) g
      left join truck t on t.uid = g.truck`
  return (await db.executeQuery<Group>(CompiledQuery.raw(prepared(statement), values.list))).rows
}

/** From the first hour of all spans to the last one: told apart from the markets, it can be looked up by time alone. */
function wholeOf(spans: readonly Span[]): { from: string; until: string } {
  const [from = ''] = spans.map((span) => span.from).toSorted()
  return {
    from,
    until:
      spans
        .map((span) => span.until)
        .toSorted()
        .at(-1) ?? '',
  }
}

interface Hole {
  day: string
  truck: string
  number: string
  missing: number
}

/** Plays that are missing, by the shift on which the first play after them was. */
async function holesOf(db: Db, query: Query, client: string | null, spans: readonly Span[]): Promise<Hole[]> {
  const values = new Values()
  const { from, until } = wholeOf(spans)
  const conditions = [
    ...conditionsOf(values, query, client, 's'),
    // Nobody starts or stops farther from the plan.
    `s.starts_at >= ${values.add(from)}::timestamptz - interval '2 days'`,
    `s.starts_at < ${values.add(until)}::timestamptz + interval '2 days'`,
    within(values, spans, 's.market_uid', 'e.at'),
  ]
  const statement = `
    select (date_trunc('hour', e.at) at time zone m.zone)::date as day, e.truck_uid as truck, t.number,
           sum(missing_before(q.received, e.sequence))::bigint as missing
      from shift s join market m on m.uid = s.market_uid join truck t on t.uid = s.truck_uid
      join play_after_hole e on e.truck_uid = s.truck_uid and e.at >= lower(driven_hours(s)) and e.at < upper(driven_hours(s))
      join play_sequence q on q.device_uid = e.device_uid
     where s.deleted_at is null and driven_hours(s) is not null and ${conditions.join(' and ')}
       -- Of two shifts at once it is the later one's.
       and not exists (select from shift o where o.truck_uid = s.truck_uid and o.uid <> s.uid and o.deleted_at is null
                          and o.starts_at between s.starts_at - interval '2 days' and s.starts_at + interval '2 days'
                          and driven_hours(o) @> e.at and lower(driven_hours(o)) > lower(driven_hours(s)))
     group by 1, 2, 3 having sum(missing_before(q.received, e.sequence)) > 0`
  return (await db.executeQuery<Hole>(CompiledQuery.raw(prepared(statement), values.list))).rows
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
  const client = clientOf(scope)
  const [spans] = await Promise.all([spansOf(db, query), query.program && programOf(db, scope, query.program)])
  const [groups, holes] =
    spans.length === 0
      ? [[], []]
      : await Promise.all([groupsOf(db, query, client, spans), holesOf(db, query, client, spans)])
  const numbers = new Map([...groups, ...holes].map(({ truck, number }) => [truck, number ?? '']))
  return {
    zones: spans.map(({ zone }) => zone),
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
    keptSince: spans[0]?.keptSince ?? null,
  }
}
