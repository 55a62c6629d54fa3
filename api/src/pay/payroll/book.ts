import {
  addDays,
  type OvertimeWeek,
  type PayAdjustment,
  type PayLine,
  type PayPeriodRef,
  workweekOf,
} from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import {
  type CurrentLine,
  isInRange,
  type PayFigures,
  settleLines,
  settleWeeks,
  sumPay,
  toPeriodRef,
} from './book-rules.ts'
import {
  type DayRange,
  type DriverFilter,
  loadDrivers,
  loadFrozenLines,
  loadFrozenWeeks,
  loadPeriods,
  loadRates,
  loadShifts,
  type PaidDriver,
} from './facts.ts'
import { loadAdjustments } from './adjustments.ts'
import { type DayLimits, type DriverLine, overlappingShifts, overtimeWeeks, payFor } from './rules.ts'

/** What one driver earned on some days. */
export interface DriverPay {
  driver: PaidDriver
  figures: PayFigures
  lines: PayLine[]
  adjustments: PayAdjustment[]
  weeks: OvertimeWeek[]
}

export interface PayBook {
  /** The period of exactly these days. */
  period: PayPeriodRef | null
  /** Approved and locked periods that overlap these days. */
  periods: PayPeriodRef[]
  /** Drivers with a shift or an adjustment, by name. */
  drivers: DriverPay[]
}

/** The pay lines of some days: frozen where a period froze them, otherwise as things are now. */
async function loadLines(
  db: Db,
  days: DayRange,
  filter: DriverFilter,
  context: { limits: DayLimits; now: number },
): Promise<DriverLine[]> {
  // Shifts of the day before and after may overlap.
  const shifts = await loadShifts(db, { from: addDays(days.from, -1), to: addDays(days.to, 1) }, filter)
  const frozen = await loadFrozenLines(db, days, filter)
  const closed = (await loadPeriods(db, days)).filter(({ state }) => state !== 'open')
  const rates = await loadRates(db, [...new Set(shifts.map(({ driverUid }) => driverUid))])
  const overlapping = overlappingShifts(shifts)
  const current = shifts
    .filter(({ date }) => isInRange(days, date))
    .map(({ frozenIn, ...shift }): CurrentLine => {
      const { driverUid, uid } = shift
      const known = { ...context, rates: rates.get(driverUid) ?? [], overlaps: overlapping.has(uid) }
      return { driverUid, line: payFor(shift, known), frozenIn }
    })
  return settleLines(current, frozen, closed)
}

/** What drivers earned on some days. */
export async function loadPayBook(db: Db, days: DayRange, filter: DriverFilter, at?: number): Promise<PayBook> {
  const now = at ?? (await sharedNow(db))
  const limits = await readSettings(db)
  // Overtime is owed for whole workweeks and belongs to the days on which they end.
  const lines = await loadLines(db, { from: workweekOf(days.from), to: days.to }, filter, { limits, now })
  const adjustments = await loadAdjustments(db, days, filter)
  const periods = await loadPeriods(db, days)
  const closed = periods.filter(({ state }) => state !== 'open')
  const frozenWeeks = groupBy(await loadFrozenWeeks(db, days, filter), ({ driverUid }) => driverUid)
  const periodOf = (date: string) => closed.find((period) => isInRange(period, date))
  const overtimeAfter = (date: string) => periodOf(date)?.overtimeAfterHours ?? limits.overtimeAfterHours
  const weeksAre = {
    isFrozen: (date: string) => periodOf(date)?.paysOvertime === true,
    // What closed periods did not freeze is for information.
    isPaid: (date: string) => limits.payOvertime && periodOf(date) === undefined,
  }
  const uids = [
    ...frozenWeeks.keys(),
    ...lines.map(({ driverUid }) => driverUid),
    ...adjustments.map(({ driver }) => driver.uid),
  ]
  const drivers = await loadDrivers(db, [...new Set(uids)])
  const linesOf = groupBy(lines, ({ driverUid }) => driverUid)
  const paid = [...drivers.values()].map((driver): DriverPay => {
    const all = (linesOf.get(driver.uid) ?? []).map(({ line }) => line)
    const own = all.filter(({ date }) => isInRange(days, date))
    const ending = overtimeWeeks(all, overtimeAfter).filter(({ to }) => isInRange(days, to))
    const weeks = settleWeeks(
      ending,
      (frozenWeeks.get(driver.uid) ?? []).map(({ week }) => week),
      weeksAre,
    )
    const ownAdjustments = adjustments.filter((each) => each.driver.uid === driver.uid)
    return { driver, lines: own, weeks, adjustments: ownAdjustments, figures: sumPay(own, ownAdjustments, weeks) }
  })
  const exact = periods.find(({ from, to }) => from === days.from && to === days.to)
  return {
    period: exact ? toPeriodRef(exact) : null,
    periods: closed.map(toPeriodRef),
    drivers: paid
      .filter(({ lines, adjustments, weeks }) => lines.length + adjustments.length + weeks.length > 0)
      .toSorted((a, b) => a.driver.name.localeCompare(b.driver.name, 'en') || (a.driver.uid < b.driver.uid ? -1 : 1)),
  }
}
