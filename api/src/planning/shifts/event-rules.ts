import {
  blocksTruck,
  DAY_MS,
  type DriverShift,
  EARLY_START_HOURS,
  type ShiftStatus,
  startWindowOpens,
} from '@roadshow/contract'

/** A start or stop that the driver's app reported; times in milliseconds since 1970. */
export interface DriverEvent {
  kind: DriverShift['kind']
  at: number
}

/** A shift as driver events change it. */
export interface ShiftProgress {
  status: ShiftStatus
  startedAt: number | null
  stoppedAt: number | null
}

/** A shift with what decides which events count. */
export interface ShiftBeforeDriverEvents extends ShiftProgress {
  startsAt: number
  endsAt: number
  isStartCorrected: boolean
  isStopCorrected: boolean
  startsCountFrom: number | null
  stopsCountFrom: number | null
}

/** Refuses an event that is more than a day away from the shift: it belongs to another one. */
export const checkDriverEventTime = (hours: Hours, at: number): string | undefined =>
  isFarFrom(hours, at) ? 'This time is more than a day away from the shift.' : undefined

type Hours = Pick<ShiftBeforeDriverEvents, 'startsAt' | 'endsAt'>

/** Whether an instant is more than a day away from a shift. */
export const isFarFrom = ({ startsAt, endsAt }: Hours, at: number): boolean =>
  at < startsAt - DAY_MS || at > endsAt + DAY_MS

/** What was reported about a shift. */
export interface ShiftDriverEvents {
  /** By the truck's device, or by the phone of the present driver. */
  counting: readonly DriverEvent[]
  /** By phones of drivers who had the shift before. */
  ofFormerDrivers: readonly DriverEvent[]
}

/**
 * The shift after all events about it, which may have arrived late, twice and in any order: it begins with the first
 * start and ends with the last stop. A stop without a start changes nothing, a stop before a later start does not end
 * the shift, and a start after the end continues it. Times that staff corrected stay. Events of former drivers do not
 * count, also where they counted until the driver changed.
 */
export function progressAfterDriverEvents(
  before: ShiftBeforeDriverEvents,
  { counting, ofFormerDrivers }: ShiftDriverEvents,
): ShiftProgress {
  const shift = withoutTimesOf(ofFormerDrivers, counting, before)
  // A phone may have reported the hours that the shift had before it was moved to another day.
  const events = counting.filter(({ at }) => !isFarFrom(shift, at))
  const { status, startedAt, stoppedAt } = shift
  const unchanged = { status, startedAt, stoppedAt }
  if (!blocksTruck(status) || (shift.isStartCorrected && shift.isStopCorrected)) return unchanged
  const starts = timesOf('start', events).filter(
    (at) => at >= startWindowOpens(shift.startsAt) && at >= (shift.startsCountFrom ?? -Infinity),
  )
  const begun = shift.isStartCorrected ? startedAt : earliest([startedAt, ...starts])
  if (begun === null) return unchanged
  const lastStart = Math.max(begun, ...starts, shift.stopsCountFrom ?? -Infinity)
  const stops = [stoppedAt, ...timesOf('stop', events)].filter((at) => at !== null && at >= lastStart) as number[]
  if (stops.length > 0) return { status: 'completed', startedAt: begun, stoppedAt: Math.max(...stops) }
  // Staff completed it without an end; an event that it began does not reopen it.
  const isCompleted = status === 'completed' && stoppedAt === null
  return { status: isCompleted ? 'completed' : 'out', startedAt: begun, stoppedAt: null }
}

/** The shift without actual times that only former drivers reported. */
function withoutTimesOf(
  former: readonly DriverEvent[],
  counting: readonly DriverEvent[],
  shift: ShiftBeforeDriverEvents,
): ShiftBeforeDriverEvents {
  const isOnlyFormers = (kind: DriverEvent['kind'], at: number | null) =>
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

const timesOf = (kind: DriverEvent['kind'], events: readonly DriverEvent[]) =>
  events.filter((event) => event.kind === kind).map(({ at }) => at)

const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce<number | null>((first, at) => (at === null || (first !== null && first <= at) ? first : at), null)

type DriverEventFacts = Pick<ShiftBeforeDriverEvents, 'status' | 'startedAt' | 'stoppedAt' | 'startsAt'> & {
  isCorrected: boolean
}

/** Why an event does not count. */
export type DriverEventProblem =
  | 'notTakingPlace'
  | 'timesCorrected'
  | 'tooEarly'
  | 'noStart'
  | 'plannedAgain'
  | 'beforeStart'

/** Why an event does not count; undefined if it counts. */
export function problemOfDriverEvent(
  shift: DriverEventFacts,
  { kind, at }: DriverEvent,
): DriverEventProblem | undefined {
  if (!blocksTruck(shift.status)) return 'notTakingPlace'
  if (at === (kind === 'start' ? shift.startedAt : shift.stoppedAt)) return undefined
  if (shift.isCorrected) return 'timesCorrected'
  if (kind === 'start' && at < startWindowOpens(shift.startsAt)) return 'tooEarly'
  if (shift.startedAt === null) return kind === 'stop' ? 'noStart' : 'plannedAgain'
  return kind === 'stop' && at < shift.startedAt ? 'beforeStart' : undefined
}

const problemWords: Record<DriverEventProblem, string> = {
  notTakingPlace: 'the shift did not take place',
  timesCorrected: 'the times were corrected',
  tooEarly: `more than ${EARLY_START_HOURS} hours before the planned start`,
  noStart: 'no start',
  plannedAgain: 'the shift was planned again later, or its pay is locked',
  beforeStart: 'before the start',
}

/** Why an event does not count, in a few words; empty if it counts. A former driver of the shift is named. */
export function describeDriverEvent(shift: DriverEventFacts, event: DriverEvent, formerDriver = ''): string {
  if (formerDriver !== '') return `reported by ${formerDriver}, who had the shift before`
  const problem = problemOfDriverEvent(shift, event)
  return problem ? problemWords[problem] : ''
}
