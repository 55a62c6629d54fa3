import type { adLog, QueryOf, TruckSide } from '@roadshow/contract'
import { sql } from 'kysely'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { truckMatches } from './report-filters.ts'
import { NO_UID } from './rollup.ts'

export type PlayLogQuery = QueryOf<typeof adLog.list>

/** Days of markets, and what their plays are filtered by. */
export interface DayTotalsQuery {
  program?: string | undefined
  market?: string | undefined
  shift?: string | undefined
  truck?: readonly string[] | undefined
  side?: TruckSide[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The first day of a query. Without a program, the last week counts: all time of a fleet is too much. */
export const firstDayOf = ({ program, shift, from }: DayTotalsQuery) =>
  from ?? (program || shift ? undefined : sql`(current_date - 7)`)

/** The days of a query. */
export const onDays = (day: SqlFragment, query: DayTotalsQuery): SqlFragment[] => {
  const since = firstDayOf(query)
  return [...(since ? [sql`${day} >= ${since}::date`] : []), ...(query.to ? [sql`${day} <= ${query.to}::date`] : [])]
}

/** Conditions on the program and truck of rows, for a reader who is limited to the programs of a client or to nothing. */
export function ofProgramAndTruck(
  row: 'h' | 'p' | 's',
  { program, truck }: DayTotalsQuery,
  client: string | null,
): SqlFragment[] {
  const [programUid, truckUid] = [sql.ref(`${row}.program_uid`), sql.ref(`${row}.truck_uid`)]
  return [
    ...(program ? [sql`${programUid} = ${program}`] : []),
    ...(client !== null && !program
      ? [sql`${programUid} in (select uid from client_program where client_uid = ${client})`]
      : []),
    ...(truck ? [sql`${truckUid} = any(${truck}::uuid[])`] : []),
  ]
}

/** The plays of a query, with or without a shift. */
interface PlayConditions extends DayTotalsQuery {
  search?: string | undefined
  /** Plays without a shift are in a report of their own. */
  isUnassigned?: boolean
}

/** A list of plays. */
export interface PlayFilter extends PlayConditions, Pick<PlayLogQuery, 'page' | 'pageSize' | 'sort'> {
  grade?: PlayLogQuery['grade']
}
type Direction = 'asc' | 'desc'

const HAS_SHIFT = { h: sql`h.market_uid <> ${NO_UID}`, p: sql`p.market_uid is not null` }
const HAS_NO_SHIFT = { h: sql`h.market_uid = ${NO_UID}`, p: sql`p.market_uid is null` }

/** The conditions that hours `h` and plays `p` share, for a reader who is limited to the programs of a client or to nothing. */
export function matchesQuery(query: PlayConditions, row: 'h' | 'p', client: string | null = null): SqlFragment {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const { market, shift, side } = query
  return allOf([
    (query.isUnassigned ? HAS_NO_SHIFT : HAS_SHIFT)[row],
    ...ofProgramAndTruck(row, query, client),
    ...onDays(column('day'), query),
    ...truckMatches(query.search, column('truck_uid')),
    ...(market ? [sql`${column('market_uid')} = ${market}`] : []),
    ...(shift ? [sql`${column('shift_uid')} = ${shift}`] : []),
    ...(side ? [sql`${column('side')} = any(${side}::text[])`] : []),
  ])
}

export const directionOf = ({ sort }: Pick<PlayLogQuery, 'sort'>): Direction => (sort === 'startedAt' ? 'asc' : 'desc')

/** Plays in the order of their times; three sides begin at the same moment. */
export function orderOfPlays(query: Pick<PlayLogQuery, 'sort'>): SqlFragment {
  const direction = sql.raw(directionOf(query))
  return sql`order by p.started_at ${direction}, p.device_uid ${direction}, p.play_id collate "C" ${direction}`
}

/** Whether a play `p` matches a query and lies between two moments. */
export const playsWhere = (query: PlayFilter, from: string, until: string): SqlFragment =>
  allOf([
    matchesQuery(query, 'p'),
    sql`p.started_at >= ${from}::timestamptz and p.started_at < ${until}::timestamptz`,
    ...(query.grade ? [sql`p.grade = any(${query.grade}::text[])`] : []),
  ])
