import type { PopGrade } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { clientLimit } from './report-filters.ts'
import { type DayTotalsQuery, type PeriodTotals, type PlayCounts, totalsByDay } from './totals-by-day.ts'

/** Plays of a market, or with a day those of the market's local day. The totals of the program have neither. */
interface MarketTotal extends PlayCounts {
  isTotal: boolean
  market: string | null
  day: string | null
}

interface TotalsQuery {
  /** All plays since midnight in the zone of their market. */
  today: { by: 'today' }
  /** Everything that was ever played for a program: in all, by market, and by local day of each market. */
  market: { by: 'market'; program: string }
  /** The plays of some local days: by day, by side and by truck, with those that are missing. */
  day: DayTotalsQuery & { by: 'day' }
}

interface Totals {
  today: number
  market: MarketTotal[]
  day: PeriodTotals
}

/** `all` is for figures that are the same for every reader, such as those of a published page. */
export type PlayScope = Scope | 'all'

type Count<By extends keyof Totals> = (db: Db, scope: PlayScope, query: TotalsQuery[By]) => Promise<Totals[By]>

const counts: { [By in keyof Totals]: Count<By> } = {
  today: countToday,
  market: countByMarket,
  day: (db, scope, query) => totalsByDay(db, limitOf(scope), query),
}

/**
 * How many plays there are. Every number of plays that is shown, exported or published comes from here or, where it is
 * a column of a list, from the fragments below. docs/plays.md says which source each caller reads, and why.
 */
export const playTotals = <By extends keyof Totals>(
  db: Db,
  scope: PlayScope,
  query: TotalsQuery[By] & { by: By },
): Promise<Totals[By]> => (counts[query.by] as Count<By>)(db, scope, query)

const limitOf = (scope: PlayScope) => (scope === 'all' ? null : clientLimit(scope))

const ofClient = (scope: PlayScope) => {
  const client = limitOf(scope)
  return client === null
    ? sql`true`
    : sql`h.program_uid in (select uid from client_program where client_uid = ${client})`
}

async function countToday(db: Db, scope: PlayScope): Promise<number> {
  const { rows } = await sql<{ plays: number }>`
    select coalesce(sum(h.plays), 0) as plays from play_hour h join market m on m.uid = h.market_uid
      join client_program p on p.uid = h.program_uid
     where h.hour >= date_trunc('day', now() at time zone m.zone) at time zone m.zone
       and h.hour > now() - interval '2 days' and ${ofClient(scope)}`.execute(db)
  return rows[0]?.plays ?? 0
}

async function countByMarket(db: Db, scope: PlayScope, { program }: TotalsQuery['market']): Promise<MarketTotal[]> {
  // Trucks and sides are summed first: there are many times more rows than hours, and finding the local day is slow.
  const { rows } = await sql<MarketTotal>`
    select grouping(m.uid) = 1 as "isTotal", m.uid as market, (h.hour at time zone m.zone)::date as day,
           sum(h.plays)::int as plays, sum(h.verified)::int as verified, sum(h.conflict)::int as conflict,
           sum(h.duration_ms)::bigint as ms
      from (select market_uid, hour, sum(plays) as plays, sum(verified) as verified, sum(conflict) as conflict,
                   sum(duration_ms) as duration_ms
              from play_hour h where h.program_uid = ${program} and ${ofClient(scope)} group by market_uid, hour) h
      left join market m on m.uid = h.market_uid
     group by grouping sets ((), (m.uid), (m.uid, (h.hour at time zone m.zone)::date))
    having sum(h.plays) > 0`.execute(db)
  return rows
}

/** The plays of a program, all time, as a column of a list. */
export const playsOfProgram = (program: SqlFragment): SqlFragment =>
  sql`(select coalesce(sum(h.plays), 0)::int from play_hour h where h.program_uid = ${program})`

/** The single plays of a shift on any day, as a column of a list. */
export const playsOfShift = (shift: SqlFragment): SqlFragment =>
  sql`(select count(*) from play y where y.shift_uid = ${shift})::int`

/**
 * The single plays of the shift in row `alias` by grade. The condition on time limits the search to the days that can
 * hold plays of the shift.
 */
export function gradedPlaysOfShift(alias: string): SqlFragment {
  const column = (name: string) => sql.id(alias, name)
  return sql`(
  select json_build_object('count', count(*), 'verified', count(*) filter (where y.grade = 'verified'),
                           'conflict', count(*) filter (where y.grade = 'conflict'))
    from play y where y.shift_uid = ${column('uid')}
     and y.started_at >= least(${column('starts_at')}, ${column('started_at')})
     and y.started_at <= greatest(${column('ends_at')}, ${column('stopped_at')}))`
}

/** The column of `play_hour` that counts the plays of a grade. */
const PLAYS_OF_GRADE: Record<PopGrade, SqlFragment> = {
  verified: sql`h.verified`,
  conflict: sql`h.conflict`,
  unverified: sql`h.plays - h.verified - h.conflict`,
}

/** How many plays of an hour `h` have one of the grades; without grades, all plays of the hour. */
export const playsOfGrades = (grades: readonly PopGrade[] | undefined): SqlFragment =>
  grades
    ? sql.join(
        [...new Set(grades)].map((grade) => PLAYS_OF_GRADE[grade]),
        sql` + `,
      )
    : sql`h.plays`
