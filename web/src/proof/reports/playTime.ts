import type { AdLogSummary } from '@roadshow/contract/proof/reports'
import dayjs from 'dayjs'

type DayFigures = Pick<
  AdLogSummary['days'][number],
  'day' | 'plays' | 'seconds' | 'verified' | 'unverified' | 'conflict' | 'missing'
>

/** A stretch of days, shown as one column. */
export interface ChartColumn extends Omit<DayFigures, 'day'> {
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
    const column: ChartColumn = {
      from: later(from, start.format(DAY)),
      to: earlier(to, start.endOf(unit).format(DAY)),
      plays: 0,
      seconds: 0,
      verified: 0,
      unverified: 0,
      conflict: 0,
      missing: 0,
    }
    for (let day = days[at]; day && day.day <= column.to; day = days[++at]) {
      if (day.day < column.from) continue
      for (const key of figureKeys) column[key] += day[key]
    }
    columns.push(column)
  }
  return { unit, columns }
}

const figureKeys = ['plays', 'seconds', 'verified', 'unverified', 'conflict', 'missing'] as const
