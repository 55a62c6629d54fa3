import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** The days of a report about one market, as hours in its zone. */
export interface MarketHours {
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
  market: string
  from: string
  to: string
}

export async function readMarketHours(db: Db, { market, from, to }: MarketDays): Promise<MarketHours> {
  const { rows } = await prepared(sql<MarketHours>`
    select zone, first_hour_of(${from}::date, zone) as "from", first_hour_of(${to}::date + 1, zone) as until
      from market where uid = ${market}`).execute(db)
  if (!rows[0]) throw new AppError('notFound')
  return rows[0]
}
