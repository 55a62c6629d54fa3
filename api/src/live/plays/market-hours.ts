import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** The days of a report about one market or all markets of a program, as hours. */
export interface MarketHours {
  /** UTC where markets have different zones, or one had two on these days. */
  zone: string
  from: string
  until: string
}

/** The outermost times of what happened on shifts of these days, in milliseconds since 1970: night shifts end later. */
export const timesAround = ({ from, until }: Pick<MarketHours, 'from' | 'until'>): { from: number; until: number } => ({
  from: Date.parse(from) - DAY_MS,
  until: Date.parse(until) + 2 * DAY_MS,
})

interface MarketDays {
  program: string
  market?: string | undefined
  from: string
  to: string
}

export async function readMarketHours(db: Db, { program, market, from, to }: MarketDays): Promise<MarketHours> {
  if (market === undefined) return readHoursOfProgram(db, { program, from, to })
  const { rows } = await prepared(sql<MarketHours>`
    select case when count(*) = 1 then min(z) else 'UTC' end as zone,
           min(first_hour_of(${from}::date, z)) as "from", max(first_hour_of(${to}::date + 1, z)) as until
      from market m cross join zones_between(m.zone, m.earlier_zones, ${from}::date, ${to}::date) z
     where m.uid = ${market} group by m.uid`).execute(db)
  if (!rows[0]) throw new AppError('notFound')
  return rows[0]
}

/** From the first hour of the days in any market of the program to the last one. */
async function readHoursOfProgram(db: Db, { program, from, to }: MarketDays): Promise<MarketHours> {
  const { rows } = await prepared(sql<MarketHours>`
    with zones as (
      select z.zone from program_market pm join market m on m.uid = pm.market_uid
        cross join zones_between(m.zone, m.earlier_zones, ${from}::date, ${to}::date) z (zone)
       where pm.program_uid = ${program}
      union select s.zone from shift s
       where s.deleted_at is null and s.program_uid = ${program} and s.local_date between ${from}::date and ${to}::date
    )
    select case when count(*) = 1 then min(zone) else 'UTC' end as zone,
           coalesce(min(first_hour_of(${from}::date, zone)), first_hour_of(${from}::date, 'UTC')) as "from",
           coalesce(max(first_hour_of(${to}::date + 1, zone)), first_hour_of(${to}::date + 1, 'UTC')) as until
      from zones`).execute(db)
  if (!rows[0]) throw new Error('A sum has one row.')
  return rows[0]
}
