import { formatDay, formatWeekday } from '@roadshow/contract/platform/dates'
import dayjs from 'dayjs'
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
const DAY = 'YYYY-MM-DD'

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

/**
 * The asked days as columns: of a day each, or of as long a stretch as lets them all be seen. A day without a play has
 * its place, too.
 */
export function chartColumns(
  days: readonly DayFigures[],
  from: string,
  to: string,
): { unit: Unit; columns: ChartColumn[] } {
  const unit = units.find((each) => dayjs(to).diff(from, each) < MOST_COLUMNS) ?? 'year'
  const columns: ChartColumn[] = []
  let at = 0
  for (let start = dayjs(from).startOf(unit); !start.isAfter(to); start = start.add(1, unit)) {
    const column = emptyColumn(later(from, start.format(DAY)), earlier(to, start.endOf(unit).format(DAY)))
    for (let day = days[at]; day && day.day <= column.to; day = days[++at]) {
      if (day.day < column.from) continue
      for (const key of figureKeys) column[key] += day[key] ?? 0
    }
    columns.push(column)
  }
  return { unit, columns }
}
