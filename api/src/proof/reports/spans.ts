import { CompiledQuery, sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { Values } from '../../platform/db/records/pieces.ts'
import { likePattern } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

interface Asked {
  program?: string | undefined
  market?: string | undefined
  from: string
  to: string
}

/** Markets that share a zone, and the hours of the days that were asked for in it. */
export interface Span {
  zone: string
  markets: string[]
  from: string
  until: string
  /** Since when plays are kept one by one. */
  keptSince: string | null
}

/** A program as a report names it; one that was deleted since keeps its past. */
export async function programOf(db: Db, { rows, actor }: Scope, uid: string) {
  const found = await db
    .selectFrom('client_program')
    .select(['uid', 'name'])
    .where('uid', '=', uid)
    .$if(rows === 'own', (query) => query.where('client_uid', '=', actor.clientUid))
    .executeTakeFirst()
  if (!found) throw new AppError('notFound')
  return found
}

/**
 * The names of a market and of trucks, as the files of a program state what was asked for. Those with which the program
 * has nothing to do are not told: nobody learns of others by asking for them.
 */
export async function namesIn(db: Db, { program, market, truck = [] }: NamedIn): Promise<NamesIn> {
  const { rows: markets } = await sql<{ name: string }>`
    select m.name from market m
     where m.uid = ${market ?? null}
       and (exists (select from program_market p where p.program_uid = ${program} and p.market_uid = m.uid)
            or exists (select from play_hour h where h.program_uid = ${program} and h.market_uid = m.uid))`.execute(db)
  const { rows: trucks } = await sql<{ name: string }>`
    select t.number as name from truck t
     where t.uid = any(${truck}::uuid[])
       and exists (select from play_hour h where h.program_uid = ${program} and h.truck_uid = t.uid)
     order by t.number`.execute(db)
  const unknown = trucks.length < new Set(truck).size ? ['unknown'] : []
  return { market: markets[0]?.name ?? 'unknown', trucks: [...trucks.map(({ name }) => name), ...unknown].join(', ') }
}

interface NamedIn {
  program: string
  market?: string | undefined
  truck?: readonly string[] | undefined
}

interface NamesIn {
  market: string
  trucks: string
}

/** Which programs somebody may ask for without naming one: null is all of them. */
export const clientOf = ({ rows, actor }: Scope): string | null => (rows === 'own' ? (actor.clientUid ?? NOBODY) : null)
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Selects the spans of what was asked for: of one market, or of each in which the program is planned or, in those days,
 * was played; or of all.
 */
export function selectSpans(values: Values, { program, market, from, to }: Asked): string {
  const [first, last] = [`${values.add(from)}::date`, `${values.add(to)}::date`]
  const playedBy = (uid: string) => `m.uid in (
      select market_uid from program_market where program_uid = ${uid} union
      select market_uid from play_hour where program_uid = ${uid} and hour >= ${first} - 1 and hour < ${last} + 2)`
  const chosen = market ? `m.uid = ${values.add(market)}` : program ? playedBy(values.add(program)) : 'true'
  return `
    select zone, markets, first_hour_of(${first}, zone) as "from", first_hour_of(${last} + 1, zone) as until
      from (select m.zone, array_agg(m.uid) as markets from market m where ${chosen} group by m.zone) z`
}

/** The days that were asked for as hours. */
export async function spansOf(db: Db, asked: Asked): Promise<Span[]> {
  const values = new Values()
  const statement = `select *, plays_kept_since() as "keptSince" from (${selectSpans(values, asked)}) s order by zone`
  const { rows } = await db.executeQuery<Span>(CompiledQuery.raw(prepared(statement), values.list))
  if (asked.market && rows.length === 0) throw new AppError('notFound')
  return rows
}

/** The span of one market. */
export async function spanOf(db: Db, asked: Asked & { market: string }): Promise<Span> {
  const [span] = await spansOf(db, asked)
  if (!span) throw new AppError('notFound')
  return span
}

/** Whether a row lies within the spans. */
export function within(values: Values, spans: readonly Span[], market: string, at: string): string {
  const each = spans.map(
    (span) =>
      `(${market} = any(${values.add(span.markets)}::uuid[]) and ${at} >= ${values.add(span.from)}::timestamptz
        and ${at} < ${values.add(span.until)}::timestamptz)`,
  )
  return each.length > 0 ? `(${each.join(' or ')})` : 'false'
}

/** A pattern for each word that is searched for. */
export const patternsOf = (search: string | undefined): string[] =>
  search?.split(/\s+/).filter(Boolean).map(likePattern) ?? []

/** Whether the number of a row's truck holds the words that are searched for. */
export const ofTrucks = (values: Values, search: string | undefined, truck: string): string[] =>
  patternsOf(search).map(
    (pattern) =>
      `${truck} in (select uid from truck where lower(number collate "default") like lower(${values.add(pattern)}))`,
  )
