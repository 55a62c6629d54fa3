import { formatShortDay, formatDay } from '@roadshow/contract/platform/dates'
import { formatPercent } from '@roadshow/contract/platform/figures'
import { addDays, daysBetween, workweekOf } from '@roadshow/contract/planning/shift-time'
import type { UrlSearch } from '../../ui/useListState.ts'

/** The filters that every chart's call takes. */
export interface ChartFilters {
  from: string
  to: string
  market?: string[]
  client?: string[]
  program?: string[]
}

/** The Mondays of the weeks between two days. */
export const weeksBetween = (from: string, to: string): string[] => {
  const first = workweekOf(from)
  return Array.from({ length: Math.floor(daysBetween(first, to) / 7) + 1 }, (_, week) => addDays(first, 7 * week))
}

/** A week below a column: `Nov 2`. */
export const weekLabel = (week: string): string => formatShortDay(week)

/** A week in a sentence and in a table: `Week of Nov 2, 2026`. */
export const weekName = (week: string): string => `Week of ${formatDay(week)}`

/** The days of a week that the filters leave. */
export const daysOfWeek = (week: string, { from, to }: Pick<ChartFilters, 'from' | 'to'>) => {
  const sunday = addDays(week, 6)
  return { from: week < from ? from : week, to: sunday > to ? to : sunday }
}

/** The shifts behind a figure: the list of shifts with the filters of the charts and more. */
export const shiftsLink = ({ from, to, ...records }: ChartFilters, more: UrlSearch) => ({
  to: '/schedule/program-schedule',
  search: { view: 'list', ...records, from, to, ...more },
})

/** Shifts that keep a truck and a driver busy. */
export const BUSY_STATUSES = ['planned', 'out', 'completed']

/** A share in percent: `86%`; without a whole, what there is none of. */
export const shareText = (part: number, whole: number, none: string): string =>
  whole === 0 ? none : formatPercent(part / whole)

const NICE = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** The end of an axis whose half is a whole number as well: the next of 2, 4, 6, 8, 10, 20, 30… */
export function niceTop(highest: number): number {
  if (highest <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(highest))
  const found = NICE.map((step) => step * power).find((top) => top >= highest && top % 2 === 0)
  return found ?? power * 10
}

/** Rows by the value of a key, in the order in which the values appear. */
export function groupRows<Row>(rows: readonly Row[], groupKey: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = groupKey(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** The sum of a figure of rows. */
export const sumOf = <Row>(rows: readonly Row[], figureOf: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + figureOf(row), 0)
