import {
  blocksTruck,
  DAY_MS,
  type DriverShift,
  EARLY_START_HOURS,
  type ShiftStatus,
  startWindowOpens,
} from '@roadshow/contract'

/** A start or stop that the driver's app reported; times in milliseconds since 1970. */
export interface DriverReport {
  kind: DriverShift['kind']
  at: number
}

/** A shift as driver reports change it. */
export interface ShiftProgress {
  status: ShiftStatus
  startedAt: number | null
  stoppedAt: number | null
}

/** A shift with what decides which reports count. */
export interface ReportedShift extends ShiftProgress {
  startsAt: number
  endsAt: number
  isStartCorrected: boolean
  isStopCorrected: boolean
  startsCountFrom: number | null
  stopsCountFrom: number | null
}

/** Refuses a report that is more than a day away from the shift: it belongs to another one. */
export const checkReportTime = (hours: Hours, at: number): string | undefined =>
  isFarFrom(hours, at) ? 'This time is more than a day away from the shift.' : undefined

type Hours = Pick<ReportedShift, 'startsAt' | 'endsAt'>

/** Whether an instant is more than a day away from a shift. */
export const isFarFrom = ({ startsAt, endsAt }: Hours, at: number): boolean =>
  at < startsAt - DAY_MS || at > endsAt + DAY_MS

/** What was reported about a shift. */
export interface ShiftReports {
  /** By the truck's device, or by the phone of the present driver. */
  counting: readonly DriverReport[]
  /** By phones of drivers who had the shift before. */
  ofFormerDrivers: readonly DriverReport[]
}

/**
 * The shift after all reports about it, which may have arrived late, twice and in any order: it begins with the first
 * start and ends with the last stop. A stop without a start changes nothing, a stop before a later start does not end
 * the shift, and a start after the end continues it. Times that staff corrected stay. Reports of former drivers do not
 * count, also where they counted until the driver changed.
 */
export function progressAfterReports(
  reported: ReportedShift,
  { counting, ofFormerDrivers }: ShiftReports,
): ShiftProgress {
  const shift = withoutTimesOf(ofFormerDrivers, counting, reported)
  // A phone may have reported the hours that the shift had before it was moved to another day.
  const reports = counting.filter(({ at }) => !isFarFrom(shift, at))
  const { status, startedAt, stoppedAt } = shift
  const unchanged = { status, startedAt, stoppedAt }
  if (!blocksTruck(status) || (shift.isStartCorrected && shift.isStopCorrected)) return unchanged
  const starts = timesOf('start', reports).filter(
    (at) => at >= startWindowOpens(shift.startsAt) && at >= (shift.startsCountFrom ?? -Infinity),
  )
  const begun = shift.isStartCorrected ? startedAt : earliest([startedAt, ...starts])
  if (begun === null) return unchanged
  const lastStart = Math.max(begun, ...starts, shift.stopsCountFrom ?? -Infinity)
  const stops = [stoppedAt, ...timesOf('stop', reports)].filter((at) => at !== null && at >= lastStart) as number[]
  if (stops.length > 0) return { status: 'completed', startedAt: begun, stoppedAt: Math.max(...stops) }
  // Staff completed it without an end; a report that it began does not reopen it.
  const isCompleted = status === 'completed' && stoppedAt === null
  return { status: isCompleted ? 'completed' : 'out', startedAt: begun, stoppedAt: null }
}

/** The shift without actual times that only former drivers reported. */
function withoutTimesOf(
  former: readonly DriverReport[],
  counting: readonly DriverReport[],
  shift: ReportedShift,
): ReportedShift {
  const isOnlyFormers = (kind: DriverReport['kind'], at: number | null) =>
    at !== null && timesOf(kind, former).includes(at) && !timesOf(kind, counting).includes(at)
  if (!blocksTruck(shift.status)) return shift
  const losesStart = !shift.isStartCorrected && isOnlyFormers('start', shift.startedAt)
  const losesStop = !shift.isStopCorrected && isOnlyFormers('stop', shift.stoppedAt)
  if (!losesStart) return losesStop ? { ...shift, status: 'out', stoppedAt: null } : shift
  // Staff may have completed the shift: then it stays completed, with unknown times.
  const { stoppedAt } = shift
  const isStaffs = stoppedAt !== null && !timesOf('stop', [...former, ...counting]).includes(stoppedAt)
  return { ...shift, status: isStaffs ? 'completed' : 'planned', startedAt: null, stoppedAt: null }
}

const timesOf = (kind: DriverReport['kind'], reports: readonly DriverReport[]) =>
  reports.filter((report) => report.kind === kind).map(({ at }) => at)

const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce<number | null>((first, at) => (at === null || (first !== null && first <= at) ? first : at), null)

type ReportFacts = Pick<ReportedShift, 'status' | 'startedAt' | 'stoppedAt' | 'startsAt'> & { isCorrected: boolean }

/** Why a report does not count. */
export type ReportProblem =
  | 'notTakingPlace'
  | 'timesCorrected'
  | 'tooEarly'
  | 'noStart'
  | 'plannedAgain'
  | 'beforeStart'

/** Why a report does not count; undefined if it counts. */
export function problemOfReport(shift: ReportFacts, { kind, at }: DriverReport): ReportProblem | undefined {
  if (!blocksTruck(shift.status)) return 'notTakingPlace'
  if (at === (kind === 'start' ? shift.startedAt : shift.stoppedAt)) return undefined
  if (shift.isCorrected) return 'timesCorrected'
  if (kind === 'start' && at < startWindowOpens(shift.startsAt)) return 'tooEarly'
  if (shift.startedAt === null) return kind === 'stop' ? 'noStart' : 'plannedAgain'
  return kind === 'stop' && at < shift.startedAt ? 'beforeStart' : undefined
}

const problemWords: Record<ReportProblem, string> = {
  notTakingPlace: 'the shift did not take place',
  timesCorrected: 'the times were corrected',
  tooEarly: `more than ${EARLY_START_HOURS} hours before the planned start`,
  noStart: 'no start',
  plannedAgain: 'the shift was planned again later, or its pay is locked',
  beforeStart: 'before the start',
}

/** Why a report does not count, in a few words; empty if it counts. A former driver of the shift is named. */
export function describeReport(shift: ReportFacts, report: DriverReport, formerDriver = ''): string {
  if (formerDriver !== '') return `reported by ${formerDriver}, who had the shift before`
  const problem = problemOfReport(shift, report)
  return problem ? problemWords[problem] : ''
}
