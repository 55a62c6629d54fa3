import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** The days of a report, in the zone of each market. */
export interface ReportDays {
  program?: string | undefined
  market?: string | undefined
  from: string
  to: string
}

/** Markets that share a zone, and the hours of a report's days in that zone. */
export interface ZoneHours {
  zone: string
  markets: string[]
  from: string
  until: string
  /** Since when plays are kept one by one. */
  keptSince: string | null
}

/**
 * Selects the zone hours of one market; of each market in which the program is planned or, in those days, was played;
 * or of all markets.
 */
export function selectZoneHours({ program, market, from, to }: ReportDays): RawBuilder<unknown> {
  const [first, last] = [sql`${from}::date`, sql`${to}::date`]
  const ofProgram = sql`m.uid in (
      select market_uid from program_market where program_uid = ${program} union
      select market_uid from play_hour where program_uid = ${program} and day between ${first} and ${last})`
  const markets = market ? sql`m.uid = ${market}` : program ? ofProgram : sql`true`
  return sql`
    select zone, markets, first_hour_of(${first}, zone) as "from", first_hour_of(${last} + 1, zone) as until
      from (select m.zone, array_agg(m.uid) as markets from market m where ${markets} group by m.zone) z`
}

/** The days of a report as hours, by zone. */
export async function readZoneHours(db: Db, days: ReportDays): Promise<ZoneHours[]> {
  const { rows } = await prepared(sql<ZoneHours>`
    select *, plays_kept_since() as "keptSince" from (${selectZoneHours(days)}) s order by zone`).execute(db)
  if (days.market && rows.length === 0) throw new AppError('notFound')
  return rows
}

/** The days of a report about one market as hours. */
export async function readMarketHours(db: Db, days: ReportDays & { market: string }): Promise<ZoneHours> {
  const [hours] = await readZoneHours(db, days)
  if (!hours) throw new AppError('notFound')
  return hours
}
