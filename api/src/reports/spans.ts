import { CompiledQuery } from 'kysely'
import { AppError } from '../app-error.ts'
import { type Db, prepared } from '../db/connection.ts'
import type { Values } from '../db/pieces.ts'
import { likePattern } from '../db/records.ts'
import type { Scope } from '../db/scope.ts'

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

/** Which programs somebody may ask for without naming one: null is all of them. */
export const clientOf = ({ rows, actor }: Scope): string | null => (rows === 'own' ? (actor.clientUid ?? NOBODY) : null)
const NOBODY = '00000000-0000-0000-0000-000000000000'

const spansIn = (markets: string) =>
  prepared(`
    select zone, markets, first_hour_of($1::date, zone) as "from", first_hour_of($2::date + 1, zone) as until,
           plays_kept_since() as "keptSince"
      from (select m.zone, array_agg(m.uid) as markets from market m where ${markets} group by m.zone) z
     order by zone`)
const OF_MARKET = spansIn('m.uid = $3')
const OF_PROGRAM = spansIn('exists (select from play_hour h where h.program_uid = $3 and h.market_uid = m.uid)')
const OF_ALL = spansIn('true')

/** The days that were asked for as hours: of one market, or of each in which the program, or anything, was played. */
export async function spansOf(db: Db, { program, market, from, to }: Asked): Promise<Span[]> {
  const [statement, ...values] = market ? [OF_MARKET, market] : program ? [OF_PROGRAM, program] : [OF_ALL]
  const { rows } = await db.executeQuery<Span>(CompiledQuery.raw(statement, [from, to, ...values]))
  if (market && rows.length === 0) throw new AppError('notFound')
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
