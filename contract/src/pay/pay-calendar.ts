import type { PayCalendarKind } from '../catalog/pay-calendars.ts'
import { addDays, daysBetween, workweekOf } from '../planning/shift-time.ts'

/** The settings that make the pay calendar. */
export interface PayCalendar {
  payCalendar: PayCalendarKind
  /** A day on which a period of weeks begins; without one they begin on Mondays. */
  payCalendarFrom: string | null
}

/** Local days, the last one included. */
export interface PayDays {
  from: string
  to: string
}

const A_MONDAY = '2024-01-01'
const firstOfMonth = (date: string) => `${date.slice(0, 8)}01`
const lastOfMonth = (date: string) => addDays(firstOfMonth(addDays(firstOfMonth(date), 31)), -1)

/** The days of whole weeks, counted from a day on which some period begins. */
function weeksAround(date: string, weeks: number, begins: string): PayDays {
  const length = 7 * weeks
  const since = ((daysBetween(begins, date) % length) + length) % length
  const from = addDays(date, -since)
  return { from, to: addDays(from, length - 1) }
}

/** The pay period of a day. */
export function payPeriodOn({ payCalendar, payCalendarFrom }: PayCalendar, date: string): PayDays {
  const begins = payCalendarFrom ?? workweekOf(A_MONDAY)
  if (payCalendar === 'weekly') return weeksAround(date, 1, begins)
  if (payCalendar === 'everyTwoWeeks') return weeksAround(date, 2, begins)
  const [first, last] = [firstOfMonth(date), lastOfMonth(date)]
  if (payCalendar === 'monthly') return { from: first, to: last }
  const middle = addDays(first, 14)
  return date <= middle ? { from: first, to: middle } : { from: addDays(middle, 1), to: last }
}

/**
 * The pay period of a day beside those that are settled: a settled one stays as it is, and days that an earlier calendar has
 * settled are left out of the period around them.
 */
export function openPayPeriodOn(calendar: PayCalendar, date: string, settled: readonly PayDays[]): PayDays {
  const kept = settled.find(({ from, to }) => from <= date && date <= to)
  if (kept) return { from: kept.from, to: kept.to }
  const { from, to } = payPeriodOn(calendar, date)
  const before = settled.filter((each) => each.to < date && each.to >= from).map((each) => addDays(each.to, 1))
  const after = settled.filter((each) => each.from > date && each.from <= to).map((each) => addDays(each.from, -1))
  return { from: before.toSorted().at(-1) ?? from, to: after.toSorted()[0] ?? to }
}

/** The days of a span that no period settles, as spans. The settled ones are in order and do not overlap. */
export function unsettledDays({ from, to }: PayDays, settled: readonly PayDays[]): PayDays[] {
  const gaps: PayDays[] = []
  let next = from
  for (const each of settled) {
    if (each.from > to) break
    if (each.from > next) gaps.push({ from: next, to: addDays(each.from, -1) })
    if (each.to >= next) next = addDays(each.to, 1)
  }
  return next <= to ? [...gaps, { from: next, to }] : gaps
}
