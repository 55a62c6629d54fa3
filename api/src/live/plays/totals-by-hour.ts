import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allOf } from '../../platform/db/records/fragments.ts'
import { NO_UID } from './rollup.ts'
import type { PlayCounts } from './totals-by-day.ts'

/** Local days on which shifts started, and what their plays are filtered by. */
export interface HourTotalsQuery {
  from: string
  to: string
  market?: string[] | undefined
  client?: string[] | undefined
  program?: string[] | undefined
}

export interface HourTotal extends PlayCounts {
  hour: number
}

const ofClients = (clients: string[]) =>
  sql`h.program_uid in (select uid from client_program where client_uid = any(${clients}::uuid[]))`

/**
 * Plays by hour of the day, for a reader who is limited to the programs of a client or to nothing. An hour that clocks show
 * twice counts both times, and one that they skip has no plays.
 */
export async function totalsByHour(db: Db, limit: string | null, query: HourTotalsQuery): Promise<HourTotal[]> {
  const { from, to, market, client, program } = query
  const conditions = [
    sql`h.market_uid <> ${NO_UID}`,
    sql`h.day between ${from}::date and ${to}::date`,
    ...(market ? [sql`h.market_uid = any(${market}::uuid[])`] : []),
    ...(client ? [ofClients(client)] : []),
    ...(limit === null ? [] : [ofClients([limit])]),
    ...(program ? [sql`h.program_uid = any(${program}::uuid[])`] : []),
  ]
  const { rows } = await sql<HourTotal>`
    with played as materialized (
      select h.hour, h.market_uid, sum(h.plays) as plays, sum(h.verified) as verified, sum(h.conflict) as conflict,
             sum(h.no_track) as no_track, sum(h.duration_ms) as ms
        from play_hour h where ${allOf(conditions)} group by h.hour, h.market_uid)
    select extract(hour from p.hour at time zone m.zone)::int as hour, sum(p.plays)::bigint as plays,
           sum(p.verified)::bigint as verified, sum(p.conflict)::bigint as conflict, sum(p.no_track)::bigint as "noTrack",
           sum(p.ms)::bigint as ms
      from played p join market m on m.uid = p.market_uid group by 1 having sum(p.plays) > 0 order by 1`.execute(db)
  return rows
}
