import { type adLog, ANY_ADDRESS, hoursOfSpan, type QueryOf, type TruckSide, type ZoneSpan } from '@roadshow/contract'
import { sql } from 'kysely'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { AddressHour } from './address-hour-table.ts'
import { truckMatches } from './report-filters.ts'
import { NO_UID } from './rollup.ts'

export type PlayLogQuery = QueryOf<typeof adLog.list>

/** Markets that have one zone on some days. */
export interface MarketClock extends ZoneSpan {
  markets: string[]
}

/** Days of markets, and what their plays are filtered by. */
export interface DayTotalsQuery {
  program?: readonly string[] | undefined
  client?: readonly string[] | undefined
  market?: readonly string[] | undefined
  shift?: string | undefined
  truck?: readonly string[] | undefined
  driver?: readonly string[] | undefined
  side?: TruckSide[] | undefined
  from?: string | undefined
  to?: string | undefined
  fromHour?: number | undefined
  toHour?: number | undefined
  /** Plays that were shown for this SD address, or for any. */
  address?: string | undefined
  /** The first and the last moment of plays for an address. */
  since?: string | undefined
  until?: string | undefined
  /** The hours of the plays for the address, which `withAddressHours` reads. */
  addressHours?: readonly AddressHour[] | undefined
  /** The clocks of the markets: required for hours. */
  clocks?: readonly MarketClock[] | undefined
}

/** The days of a query. */
export const onDays = (day: SqlFragment, { from, to }: DayTotalsQuery): SqlFragment[] => [
  ...(from ? [sql`${day} >= ${from}::date`] : []),
  ...(to ? [sql`${day} <= ${to}::date`] : []),
]

/** Whether the hour on the clocks of each market is one of the query's. */
function atClocks(query: DayTotalsQuery, { market, day, hour }: Record<'market' | 'day' | 'hour', SqlFragment>) {
  const { clocks = [] } = query
  const hours = hoursOfSpan(query)
  const anyClock = (condition: (clock: MarketClock) => SqlFragment) =>
    clocks.length === 0
      ? sql`false`
      : sql`(${sql.join(
          clocks.map((clock) => sql`(${market} = any(${clock.markets}::uuid[]) and ${condition(clock)})`),
          sql` or `,
        )})`
  if (!hours) return []
  return [
    anyClock(({ zone, from, until }) =>
      allOf([
        sql`extract(hour from ${hour} at time zone ${zone})::int = any(${hours}::int[])`,
        ...(from ? [sql`${day} >= ${from}::date`] : []),
        ...(until ? [sql`${day} < ${until}::date`] : []),
      ]),
    ),
  ]
}

/** Whether a column is one of some uids. Of a single one an index returns the rows in their order. */
export const isAmong = (column: SqlFragment, uids: readonly string[]): SqlFragment =>
  uids.length === 1 ? sql`${column} = ${uids[0]}` : sql`${column} = any(${uids}::uuid[])`

/** Conditions on the program and truck of rows, for a reader who is limited to the programs of a client or to nothing. */
export function ofProgramAndTruck(
  row: 'h' | 'p' | 's',
  { program, client: clients, truck }: DayTotalsQuery,
  client: string | null,
): SqlFragment[] {
  const [programUid, truckUid] = [sql.ref(`${row}.program_uid`), sql.ref(`${row}.truck_uid`)]
  const ofClients = (uids: readonly string[]) =>
    sql`${programUid} in (select uid from client_program where client_uid = any(${uids}::uuid[]))`
  return [
    ...(program ? [isAmong(programUid, program)] : []),
    ...(clients ? [ofClients(clients)] : []),
    ...(client !== null && !program ? [ofClients([client])] : []),
    ...(truck ? [sql`${truckUid} = any(${truck}::uuid[])`] : []),
  ]
}

/** The plays of a query, with or without a shift. */
export interface PlayConditions extends DayTotalsQuery {
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

/** Whether a play `p` was shown for the SD address of a query. Hours of an address hold no other plays. */
function forAddress({ address, since, until }: DayTotalsQuery): SqlFragment[] {
  if (address === undefined) return []
  return [
    address === ANY_ADDRESS ? sql`p.address_uid is not null` : sql`p.address_uid = ${address}`,
    ...(since ? [sql`p.started_at >= ${since}::timestamptz`] : []),
    ...(until ? [sql`p.started_at <= ${until}::timestamptz`] : []),
  ]
}

/** The conditions that hours `h` and plays `p` share, for a reader who is limited to the programs of a client or to nothing. */
export function matchesQuery(query: PlayConditions, row: 'h' | 'p', client: string | null = null): SqlFragment {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const { market, shift, side, driver } = query
  const hour = row === 'h' ? sql`h.hour` : sql`date_trunc('hour', p.started_at)`
  return allOf([
    (query.isUnassigned ? HAS_NO_SHIFT : HAS_SHIFT)[row],
    ...ofProgramAndTruck(row, query, client),
    ...onDays(column('day'), query),
    ...truckMatches(query.search, column('truck_uid')),
    ...atClocks(query, { market: column('market_uid'), day: column('day'), hour }),
    ...(market ? [isAmong(column('market_uid'), market)] : []),
    ...(shift ? [sql`${column('shift_uid')} = ${shift}`] : []),
    ...(driver
      ? [sql`${column('shift_uid')} in (select uid from shift where driver_uid = any(${driver}::uuid[]))`]
      : []),
    ...(side ? [sql`${column('side')} = any(${side}::text[])`] : []),
    ...(row === 'p' ? forAddress(query) : []),
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
