import { addDays, daysBetween, DEFAULT_ZONE, localDay, type ReportOccasion, workweekOf } from '@roadshow/contract'
import { lastMonth } from '../client-reports/index.ts'

/** A program as far as it decides when its reports are due. */
export interface ReportedProgram {
  startsOn: string
  endsOn: string
  /** The zones of its markets. */
  zones: readonly string[]
}

/** A report with the days that it covers. */
export interface DueReport {
  occasion: 'weekly' | 'end'
  /** Names it among the reports of its program: each is sent once. */
  period: string
  from: string
  to: string
}

const SEND_HOUR_MS = 8 * 3_600_000
/** A report that no node could send for this many days is not sent any more. */
const LATEST_DAYS = { weekly: 1, end: 7, monthly: 7 }

/** The day on which readers are, counted from 8 AM, where it is earliest: then a day is over in every market. */
function dayEverywhere(zones: readonly string[], now: number): string {
  const days = (zones.length > 0 ? zones : [DEFAULT_ZONE]).map((zone) => localDay(zone, now - SEND_HOUR_MS))
  return days.toSorted()[0] ?? localDay(DEFAULT_ZONE, now)
}

/** The last week from Monday to Sunday that is over in every market, as far as the program ran in it. */
export function lastWeek({ startsOn, endsOn, zones }: ReportedProgram, now: number): DueReport | undefined {
  const monday = addDays(workweekOf(dayEverywhere(zones, now)), -7)
  const sunday = addDays(monday, 6)
  if (sunday < startsOn || monday > endsOn) return undefined
  return {
    occasion: 'weekly',
    period: monday,
    from: monday < startsOn ? startsOn : monday,
    to: sunday > endsOn ? endsOn : sunday,
  }
}

/** The reports that are due: on Monday morning that of the week before, and on the morning after the last day the last one. */
export function dueReports(program: ReportedProgram, now: number): DueReport[] {
  const { startsOn, endsOn, zones } = program
  const today = dayEverywhere(zones, now)
  const week = daysBetween(workweekOf(today), today) <= LATEST_DAYS.weekly ? lastWeek(program, now) : undefined
  const sinceEnd = daysBetween(endsOn, today)
  const isEnded = sinceEnd > 0 && sinceEnd <= LATEST_DAYS.end
  return [
    ...(week ? [week] : []),
    ...(isEnded ? [{ occasion: 'end' as const, period: endsOn, from: startsOn, to: endsOn }] : []),
  ]
}

/** The month whose report is due: that before, from the morning of the first day on. */
export function dueMonth(zones: readonly string[], now: number): string | undefined {
  const today = dayEverywhere(zones, now)
  return Number(today.slice(8)) <= LATEST_DAYS.monthly ? lastMonth(today) : undefined
}

interface Listed {
  email: string
  occasions: readonly ReportOccasion[]
}

const lineOf = ({ email, occasions }: Listed): string =>
  [email.toLowerCase(), ...[...new Set(occasions)].toSorted()].join(' ')

const textOf = (list: readonly Listed[]): string => list.map(lineOf).toSorted().join('\n')

/** Whether two lists name the same addresses for the same occasions, in any order and case. */
export const isSameMailingList = (one: readonly Listed[], other: readonly Listed[]): boolean =>
  textOf(one) === textOf(other)
