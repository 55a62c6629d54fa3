import {
  addDays,
  daysBetween,
  dayText,
  type DayText,
  formatMileCount,
  formatCount,
  countOf,
  type PopDay,
  type PopGaps,
} from '@roadshow/contract'

type Step = 'day' | 'week' | 'month'

// More bars are unreadable.
const MOST_DAYS = 62
const MOST_WEEKS = 110

/** A row for a day, a week or a month; `days` says on how many days of it shifts took place. */
export interface DayRow extends DayText {
  days: number
}

/** The days of a market for its charts and its table. */
export interface DayTable {
  step: Step
  /** Every day, week or month from the first to the last, for charts: also those without a shift. */
  columns: PopDay[]
  /** Only days, weeks or months with a shift. */
  rows: DayRow[]
  /** `9 days`, or `90 days in 13 weeks`. */
  summary: string
}

/** The first day of the day, week (from Monday) or month of a day. */
function beginOf(day: string, step: Step): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`
  // January 1, 1970 was a Thursday.
  return step === 'week' ? addDays(day, -((daysBetween('1970-01-01', day) + 3) % 7)) : day
}

const following = (day: string, step: Step) =>
  step === 'month' ? beginOf(addDays(day, 31), 'month') : addDays(day, step === 'week' ? 7 : 1)

const emptyDay = (day: string): PopDay => ({ day, metres: 0, plays: 0, verifiedPlays: 0 })

const addGaps = (one: PopGaps | undefined, other: PopGaps | undefined): PopGaps | undefined =>
  one && other
    ? {
        shiftsWithoutGps: one.shiftsWithoutGps + other.shiftsWithoutGps,
        printedShifts: one.printedShifts + other.printedShifts,
        // The same trucks may drive on both days.
        printedTrucks: Math.max(one.printedTrucks, other.printedTrucks),
        playerOfflineSeconds: one.playerOfflineSeconds + other.playerOfflineSeconds,
        runningShifts: one.runningShifts + other.runningShifts,
      }
    : (one ?? other)

const addKnown = (one: number | undefined, other: number | undefined) =>
  one === undefined ? other : one + (other ?? 0)

const addDay = (one: PopDay, other: PopDay): PopDay => ({
  day: one.day,
  metres: one.metres + other.metres,
  plays: one.plays + other.plays,
  verifiedPlays: one.verifiedPlays + other.verifiedPlays,
  seconds: addKnown(one.seconds, other.seconds),
  shifts: addKnown(one.shifts, other.shifts),
  gaps: addGaps(one.gaps, other.gaps),
})

/** Days, of one market or of several, taken together. There must be one. */
export const sumDays = (days: readonly PopDay[]): PopDay => days.reduce(addDay)

/** The days of a market as rows and as columns of charts: by day, and where there are too many by week or month. */
export function dayTable(perDay: readonly PopDay[]): DayTable {
  const days = perDay.map(({ day }) => day).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return { step: 'day', columns: [], rows: [], summary: 'No days yet' }
  const length = daysBetween(first, last) + 1
  const step = length <= MOST_DAYS ? 'day' : length <= MOST_WEEKS * 7 ? 'week' : 'month'
  const columns = new Map<string, PopDay>()
  const counts = new Map<string, number>()
  for (let day = beginOf(first, step); day <= last; day = following(day, step)) {
    columns.set(day, emptyDay(day))
  }
  for (const each of perDay) {
    const begin = beginOf(each.day, step)
    columns.set(begin, addDay(columns.get(begin) ?? emptyDay(begin), each))
    counts.set(begin, (counts.get(begin) ?? 0) + 1)
  }
  const driven = [...columns.values()].filter(({ day }) => counts.has(day))
  const summary = countOf(days.length, 'day')
  return {
    step,
    columns: [...columns.values()],
    rows: driven.map((column) => ({ ...dayText(column), days: counts.get(column.day) ?? 0 })),
    summary: step === 'day' ? summary : `${summary} in ${countOf(driven.length, step)}`,
  }
}

/** A bar chart of a day table, with a bar for each of its columns. */
export interface DayChart {
  kind: 'miles' | 'plays'
  title: string
  /** The highest bar in words. */
  most: string
  bars: { all: number; verified?: number }[]
}

/** The charts of a day table: miles, and plays with the verified ones, where there are any. */
export function dayCharts({ step, columns }: DayTable): DayChart[] {
  const meters = Math.max(...columns.map(({ metres }) => metres))
  const most = Math.max(...columns.map(({ plays }) => plays))
  const miles: DayChart = {
    kind: 'miles',
    title: `Miles per ${step}`,
    most: `up to ${formatMileCount(meters)}`,
    bars: columns.map(({ metres }) => ({ all: metres })),
  }
  const plays: DayChart = {
    kind: 'plays',
    title: `Plays per ${step}`,
    most: `up to ${formatCount(most)}`,
    bars: columns.map((column) => ({ all: column.plays, verified: column.verifiedPlays })),
  }
  return [...(meters > 0 ? [miles] : []), ...(most > 0 ? [plays] : [])]
}

/** The titles of a day table's columns; each row has its cells in the same order. */
export function dayTableColumns({ step }: DayTable): { title: string; cell: (row: DayRow) => string }[] {
  return [
    { title: step === 'day' ? 'Day' : `${step === 'week' ? 'Week' : 'Month'} of`, cell: ({ day }) => day },
    ...(step === 'day' ? [] : [{ title: 'Days', cell: ({ days }: DayRow) => String(days) }]),
    { title: 'Miles', cell: ({ miles }) => miles },
    { title: 'Hours', cell: ({ hours }) => hours },
    { title: 'Plays', cell: ({ plays }) => plays },
    { title: 'Verified plays', cell: ({ verified }) => verified },
  ]
}
