import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { clientLimit } from './report-filters.ts'
import { type DayTotalsQuery, type PeriodTotals, type PlayCounts, totalsByDay } from './totals-by-day.ts'

/** Plays of a market, or with a day those of the market's local day. The totals of the program have neither. */
export interface MarketTotal extends PlayCounts {
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
 * How many plays there are. This is the only function that answers it: every number of plays that is shown, exported or
 * published comes from here or from `playColumns`. docs/plays.md says which source each caller reads, and why.
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
