import type { BookedUnit } from '@roadshow/contract'
import { sql } from 'kysely'
import { workedShifts } from '../../planning/shifts/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { loadMethod } from './methods.ts'

/** What past shifts of a market amount to, as far as their tracks gave an estimate. */
export interface TypicalShifts {
  shifts: number
  seconds: number
  /** Days of trucks. */
  truckDays: number
  low: number
  likely: number
  high: number
}

/** Fewer shifts than these say little about a market. */
export const LEAST_SHIFTS = 5
/** How many days back shifts are looked at. */
export const TYPICAL_DAYS = 180

interface Typical {
  method: { version: number; sha256: string }
  /** By the uid of the market; a market without any such shift is not among them. */
  markets: Map<string, TypicalShifts>
}

/** What shifts of the last half year gave by the newest version of the method; undefined where impressions are off. */
export async function loadTypicalShifts(db: Db, marketUids: readonly string[]): Promise<Typical | undefined> {
  if (!(await readSettings(db)).showImpressions) return undefined
  const { version, sha256 } = await loadMethod(db)
  const ofMarkets = sql`t.market_uid = any(${[...marketUids]}::uuid[])
    and t.local_date >= (now() - make_interval(days => ${TYPICAL_DAYS}))::date`
  const { rows } = await sql<TypicalShifts & { market: string }>`
    select w.market, count(*)::int as shifts, sum(w.seconds)::float8 as seconds,
           count(distinct (w.truck_uid, w.day))::int as "truckDays", sum(i.low)::float8 as low,
           sum(i.likely)::float8 as likely, sum(i.high)::float8 as high
      from (${workedShifts(ofMarkets)}) w join shift_impression i on i.shift_uid = w.uid
     where not w.is_running and w.seconds > 0 and i.low is not null and i.method_version = ${version}
     group by w.market`.execute(db)
  return { method: { version, sha256 }, markets: new Map(rows.map(({ market, ...sums }) => [market, sums])) }
}

export interface PlannedImpressions {
  /** The hours that are planned; null where the booked lines say nothing of hours. */
  hours: number | null
  /** The past shifts that it rests on. */
  shifts: number
  range: { low: number; likely: number; high: number } | null
  /** Why there is no estimate: nothing is booked by time, or too few shifts of the market were estimated. */
  reason: 'noHours' | 'fewShifts' | null
}

/**
 * The impressions that the booked lines of a market may give: its planned hours, times what an hour of its past shifts
 * gave. Hours count where they are booked, and days of trucks otherwise: both often promise the same shifts.
 */
export function estimatePlanned(
  lines: readonly { unit: BookedUnit; amount: number }[],
  typical: TypicalShifts | undefined,
): PlannedImpressions {
  const booked = (unit: BookedUnit) => lines.reduce((sum, line) => sum + (line.unit === unit ? line.amount : 0), 0)
  const { shifts = 0 } = typical ?? {}
  const nothing = (reason: PlannedImpressions['reason'], hours: number | null = null): PlannedImpressions => ({
    hours,
    shifts,
    range: null,
    reason,
  })
  if (booked('hours') + booked('truckDays') === 0) return nothing('noHours')
  if (!typical || shifts < LEAST_SHIFTS) return nothing('fewShifts', booked('hours') || null)
  const pastHours = typical.seconds / 3600
  const hours = booked('hours') || (booked('truckDays') * pastHours) / typical.truckDays
  const planned = (sum: number) => Math.round((hours * sum) / pastHours)
  const range = { low: planned(typical.low), likely: planned(typical.likely), high: planned(typical.high) }
  return { hours: Math.round(hours * 10) / 10, shifts, range, reason: null }
}
