import { formatDay, formatWeekday } from '@roadshow/contract/platform/dates'
import { addDays, workweekOf } from '@roadshow/contract/planning/shift-time'
import type { KnownFigures } from './playGrades.ts'

/** The figures of one day. */
export type DayFigures = KnownFigures & { day: string }

const figureKeys = [
  'plays',
  'seconds',
  'verified',
  'unverified',
  'conflict',
  'missing',
  'rejected',
  'duplicates',
  'unassigned',
] as const

/** A stretch of days, shown as one column. What can't be known adds nothing to it. */
export interface ChartColumn extends Record<(typeof figureKeys)[number], number> {
  from: string
  to: string
}

const units = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof units)[number]

// More columns than these are too thin to be told apart.
const MOST_COLUMNS = 62

const inYear = (day: string) => `${day.slice(0, 4)}-01-01`
const inMonth = (day: string) => `${day.slice(0, 7)}-01`

/** The first day of the unit that a day is in, and a day of the next unit. */
const spans: Record<Unit, { startOf: (day: string) => string; after: (start: string) => string }> = {
  day: { startOf: (day) => day, after: (start) => addDays(start, 1) },
  week: { startOf: workweekOf, after: (start) => addDays(start, 7) },
  month: { startOf: inMonth, after: (start) => inMonth(addDays(start, 31)) },
  year: { startOf: inYear, after: (start) => inYear(addDays(start, 366)) },
}

/** The first days of the units that some days touch, and the first of the unit after them. */
function startsOf(unit: Unit, from: string, to: string): string[] {
  const { startOf, after } = spans[unit]
  const starts = [startOf(from)]
  for (let start = starts[0] ?? from; start <= to; starts.push(start)) start = after(start)
  return starts
}

const earlier = (one: string, other: string) => (one < other ? one : other)
const later = (one: string, other: string) => (one > other ? one : other)

/** How the days of a report are named: `Wed, Nov 4`, and with the year where they span several years. */
export const dayNamer = (from: string, to: string): ((day: string) => string) =>
  from.slice(0, 4) === to.slice(0, 4) ? formatWeekday : formatDay

const emptyColumn = (from: string, to: string): ChartColumn => ({
  from,
  to,
  plays: 0,
  seconds: 0,
  verified: 0,
  unverified: 0,
  conflict: 0,
  missing: 0,
  rejected: 0,
  duplicates: 0,
  unassigned: 0,
})

const pairs = (starts: readonly string[]) =>
  starts.slice(1).map((next, index) => [starts[index] ?? next, next] as const)

/**
 * The asked days as columns: of a day each, or of as long a stretch as lets them all be seen. A day without a play has
 * its place, too.
 */
export function chartColumns(
  days: readonly DayFigures[],
  from: string,
  to: string,
): { unit: Unit; columns: ChartColumn[] } {
  const unit = units.find((each) => startsOf(each, from, to).length - 1 <= MOST_COLUMNS) ?? 'year'
  const columns: ChartColumn[] = []
  let at = 0
  for (const [start, next] of pairs(startsOf(unit, from, to))) {
    const column = emptyColumn(later(from, start), earlier(to, addDays(next, -1)))
    for (let day = days[at]; day && day.day <= column.to; day = days[++at]) {
      if (day.day < column.from) continue
      for (const key of figureKeys) column[key] += day[key] ?? 0
    }
    columns.push(column)
  }
  return { unit, columns }
}
