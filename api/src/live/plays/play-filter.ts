import type { adLog, QueryOf } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/db/records/fragments.ts'
import { truckMatches } from './report-filters.ts'
import { NO_UID } from './rollup.ts'

export type PlayLogQuery = QueryOf<typeof adLog.list>

/** A query of plays, with or without a shift. */
export interface PlayFilter extends Pick<PlayLogQuery, 'page' | 'pageSize' | 'sort' | 'search' | 'market' | 'shift'> {
  program?: string | undefined
  truck?: readonly string[] | undefined
  side?: PlayLogQuery['side']
  grade?: PlayLogQuery['grade']
  from?: string | undefined
  to?: string | undefined
  /** Plays without a shift are in a report of their own. */
  isUnassigned?: boolean
}
type Direction = 'asc' | 'desc'

const HAS_SHIFT = { h: sql`h.market_uid <> ${NO_UID}`, p: sql`p.market_uid is not null` }
const HAS_NO_SHIFT = { h: sql`h.market_uid = ${NO_UID}`, p: sql`p.market_uid is null` }

/** The conditions that hours `h` and plays `p` share. */
export function matchesQuery(query: PlayFilter, row: 'h' | 'p'): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const { program, market, shift, truck, side, from, to } = query
  return allOf([
    (query.isUnassigned ? HAS_NO_SHIFT : HAS_SHIFT)[row],
    ...(program ? [sql`${column('program_uid')} = ${program}`] : []),
    ...truckMatches(query.search, column('truck_uid')),
    ...(market ? [sql`${column('market_uid')} = ${market}`] : []),
    ...(shift ? [sql`${column('shift_uid')} = ${shift}`] : []),
    ...(truck ? [sql`${column('truck_uid')} = any(${truck}::uuid[])`] : []),
    ...(side ? [sql`${column('side')} = any(${side}::text[])`] : []),
    ...(from ? [sql`${column('day')} >= ${from}::date`] : []),
    ...(to ? [sql`${column('day')} <= ${to}::date`] : []),
  ])
}

export const directionOf = ({ sort }: Pick<PlayLogQuery, 'sort'>): Direction => (sort === 'startedAt' ? 'asc' : 'desc')

/** Plays in the order of their times; three sides begin at the same moment. */
export function orderOfPlays(query: Pick<PlayLogQuery, 'sort'>): RawBuilder<unknown> {
  const direction = sql.raw(directionOf(query))
  return sql`order by p.started_at ${direction}, p.device_uid ${direction}, p.play_id collate "C" ${direction}`
}

/** Whether a play `p` matches a query and lies between two moments. */
export const playsWhere = (query: PlayFilter, from: string, until: string): RawBuilder<unknown> =>
  allOf([
    matchesQuery(query, 'p'),
    sql`p.started_at >= ${from}::timestamptz and p.started_at < ${until}::timestamptz`,
    ...(query.grade ? [sql`p.grade = any(${query.grade}::text[])`] : []),
  ])
