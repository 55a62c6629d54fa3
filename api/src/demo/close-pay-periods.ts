import { addDays } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { approvePeriod, loadPayPage, movePeriod } from '../pay/payroll/index.ts'
import { loadPast } from './past-shifts.ts'

const PERIOD_DAYS = 14

/** The first Monday on or after a day. */
export const mondayAfter = (day: string) => addDays(day, (8 - new Date(day).getUTCDay()) % 7)

/** Locks the first pay period of the past and approves the second; the last weeks stay open. */
export async function closePayPeriods(db: Db, scope: Scope): Promise<void> {
  const known = db.selectFrom('pay_period').select('uid').limit(1)
  if (await known.executeTakeFirst()) return
  const { shifts } = await loadPast(db)
  const [first] = shifts
  if (!first) return
  const start = mondayAfter(new Date(first.startsAt).toISOString().slice(0, 10))
  for (const state of ['locked', 'approved'] as const) {
    const from = state === 'locked' ? start : addDays(start, PERIOD_DAYS)
    const to = addDays(from, PERIOD_DAYS - 1)
    const { totals } = await loadPayPage(db, scope, { from, to, page: 1, pageSize: 1 })
    const { uid, version } = await approvePeriod(db, scope, { from, to, cents: totals.cents })
    if (state === 'locked') await movePeriod(db, scope, { uid, version, state, reason: '' })
  }
}
