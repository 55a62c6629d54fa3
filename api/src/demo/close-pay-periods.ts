import { addDays } from '@roadshow/contract'
import { sql } from 'kysely'
import { changeSettings, currentSettings } from '../catalog/settings/index.ts'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { approvePeriod, loadPayPage, movePeriod } from '../pay/payroll/index.ts'
import { loadPast } from './past-shifts.ts'

const PERIOD_DAYS = 14

/** The first Monday on or after a day. */
export const mondayAfter = (day: string) => addDays(day, (8 - new Date(day).getUTCDay()) % 7)

/**
 * Locks the pay periods of the years before the recorded weeks and the first one of these weeks, and approves the second; the
 * last weeks stay open.
 */
export async function closePayPeriods(db: Db, scope: Scope, signal: AbortSignal): Promise<void> {
  const [first] = (await loadPast(db)).shifts
  if (!first) return
  const start = mondayAfter(new Date(first.startsAt).toISOString().slice(0, 10))
  await payEveryTwoWeeks(db, scope, start)
  const { rows } = await sql<{ day: string; known: string[] }>`
    select min(local_date) as day, (select coalesce(array_agg(starts_on::text), '{}') from pay_period) as known
      from shift`.execute(db)
  const { day = start, known = [] } = rows[0] ?? {}
  const periods = [addDays(start, PERIOD_DAYS), start]
  while ((periods.at(-1) ?? day) > day) periods.push(addDays(periods.at(-1) ?? day, -PERIOD_DAYS))
  for (const from of periods.toReversed()) {
    if (signal.aborted) return
    if (!known.includes(from)) await closePeriod(db, scope, from, from > start ? 'approved' : 'locked')
  }
}

/** The pay calendar that these periods follow. */
async function payEveryTwoWeeks(db: Db, scope: Scope, payCalendarFrom: string): Promise<void> {
  const { version, values } = await currentSettings(db)
  if (values.payCalendarFrom !== null) return
  await changeSettings(db, scope, version, { ...values, payCalendar: 'everyTwoWeeks', payCalendarFrom })
}

async function closePeriod(db: Db, scope: Scope, from: string, state: 'approved' | 'locked'): Promise<void> {
  const to = addDays(from, PERIOD_DAYS - 1)
  const { totals } = await loadPayPage(db, scope, { from, to, page: 1, pageSize: 1 })
  const { uid, version } = await approvePeriod(db, scope, { from, to, cents: totals.cents })
  if (state === 'locked') await movePeriod(db, scope, { uid, version, state, reason: '' })
}
