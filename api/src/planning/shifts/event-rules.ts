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

/** The times of a shift that no driver reported: the office set or corrected them, or the system did. */
export interface OfficeTimes {
  start: number | null
  stop: number | null
  /** Completed by the office, if need be without an end. */
  isCompleted: boolean
}

/** A shift with what decides which events count. */
export interface ShiftBeforeDriverEvents extends ShiftProgress {
  startsAt: number
  endsAt: number
  office: OfficeTimes
  isStartCorrected: boolean
  isStopCorrected: boolean
  startsCountFrom: number | null
  stopsCountFrom: number | null
}

type Hours = Pick<ShiftBeforeDriverEvents, 'startsAt' | 'endsAt'>

/** Whether an instant is more than a day away from a shift: it belongs to another one. */
export const isFarFrom = ({ startsAt, endsAt }: Hours, at: number): boolean =>
  at < startsAt - DAY_MS || at > endsAt + DAY_MS

/**
 * The shift with the times of the office and the events of its present driver and truck, which may have arrived late,
 * twice and in any order: it begins with the first start and ends with the last stop. A stop without a start changes
 * nothing, a stop before a later start does not end the shift, and a start after the end continues it. Corrected times
 * stay. Events of former drivers are not among them, so they change nothing, whenever they arrive.
 */
export function progressAfterDriverEvents(
  shift: ShiftBeforeDriverEvents,
  counting: readonly DriverEvent[],
): ShiftProgress {
  const { status, startedAt, stoppedAt, office } = shift
  if (!blocksTruck(status)) return { status, startedAt, stoppedAt }
  // A phone may have reported the hours that the shift had before it was moved to another day.
  const events = counting.filter(({ at }) => !isFarFrom(shift, at))
  const starts = countingStarts(shift, events)
  const begun = shift.isStartCorrected ? office.start : earliest(starts)
  // Staff may have completed the shift: then it stays completed, with an unknown start.
  if (begun === null) {
    return { status: office.isCompleted ? 'completed' : 'planned', startedAt: null, stoppedAt: office.stop }
  }
  const stops = countingStops(shift, events, Math.max(begun, ...starts))
  if (stops.length > 0) return { status: 'completed', startedAt: begun, stoppedAt: Math.max(...stops) }
  const isCompleted = office.isCompleted && office.stop === null
  return { status: isCompleted ? 'completed' : 'out', startedAt: begun, stoppedAt: null }
}

const known = (times: readonly (number | null)[]): number[] => times.filter((at) => at !== null)

/** That of the office, and those reported within the time in which the shift may start and since it was planned. */
function countingStarts(shift: ShiftBeforeDriverEvents, events: readonly DriverEvent[]): number[] {
  const from = Math.max(startWindowOpens(shift.startsAt), shift.startsCountFrom ?? -Infinity)
  const reported = timesOf('start', events).filter((at) => at >= from)
  // A start after a corrected end does not continue the shift.
  const until = shift.isStopCorrected ? (shift.office.stop ?? Infinity) : Infinity
  return known([shift.office.start, ...reported]).filter((at) => at <= until)
}

/** A corrected one alone; otherwise those since the last start and since the shift was reopened. */
function countingStops(shift: ShiftBeforeDriverEvents, events: readonly DriverEvent[], lastStart: number): number[] {
  const { office, isStopCorrected, stopsCountFrom } = shift
  if (isStopCorrected) return known([office.stop]).filter((at) => at >= lastStart)
  const from = Math.max(lastStart, stopsCountFrom ?? -Infinity)
  return known([office.stop, ...timesOf('stop', events)]).filter((at) => at >= from)
}

const timesOf = (kind: DriverEvent['kind'], events: readonly DriverEvent[]) =>
  events.filter((event) => event.kind === kind).map(({ at }) => at)

const earliest = (times: readonly number[]): number | null => (times.length > 0 ? Math.min(...times) : null)

type DriverEventFacts = Pick<
  ShiftBeforeDriverEvents,
  'status' | 'startedAt' | 'stoppedAt' | 'startsAt' | 'isStartCorrected' | 'isStopCorrected'
>

/** Why an event does not count. */
type DriverEventProblem = 'notTakingPlace' | 'timesCorrected' | 'tooEarly' | 'noStart' | 'plannedAgain' | 'beforeStart'

/** Why an event does not count; undefined if it counts. */
function problemOfDriverEvent(shift: DriverEventFacts, { kind, at }: DriverEvent): DriverEventProblem | undefined {
  if (!blocksTruck(shift.status)) return 'notTakingPlace'
  if (at === (kind === 'start' ? shift.startedAt : shift.stoppedAt)) return undefined
  if (kind === 'start' ? shift.isStartCorrected : shift.isStopCorrected) return 'timesCorrected'
  if (kind === 'start' && at < startWindowOpens(shift.startsAt)) return 'tooEarly'
  if (shift.startedAt === null) return kind === 'stop' ? 'noStart' : 'plannedAgain'
  return kind === 'stop' && at < shift.startedAt ? 'beforeStart' : undefined
}

/** An event before it is stored, with what decides whether its sender may change the shift by it. */
export interface JudgedEvent {
  event: DriverEvent
  /** The events that count already. */
  counting: readonly DriverEvent[]
  /** Whether the sender is the driver or the device of the shift now; otherwise it was before. */
  isOwn: boolean
  isDeleted: boolean
  /** Whether it fits hours that the shift had before. */
  isOfFormerHours: boolean
}

/** Why an event does not count, beyond its time: deleted, another driver's by now, or moved to other hours. */
export type EventProblem = DriverEventProblem | 'deleted' | 'ofFormerDriver' | 'ofFormerHours'

/** What becomes of an event: refused and not stored, or stored, with the progress of the shift after it. */
export type EventVerdict =
  | { isRefused: true }
  | { isRefused: false; problem: EventProblem | undefined; after: ShiftProgress }

/** Decides about an event before it is stored. One that does not count now is kept: it may count once the shift is given back. */
export function judgeDriverEvent(shift: ShiftBeforeDriverEvents, judged: JudgedEvent): EventVerdict {
  const { event, counting, isOfFormerHours } = judged
  const isFar = isFarFrom(shift, event.at)
  if (isFar && !isOfFormerHours) return { isRefused: true }
  const { status, startedAt, stoppedAt } = shift
  const kept = (problem: EventProblem): EventVerdict => ({
    isRefused: false,
    problem,
    after: { status, startedAt, stoppedAt },
  })
  if (judged.isDeleted) return kept('deleted')
  if (!judged.isOwn) return kept('ofFormerDriver')
  if (isFar) return kept('ofFormerHours')
  const after = progressAfterDriverEvents(shift, [...counting, event])
  const problem = problemOfDriverEvent({ ...shift, ...after }, event)
  return { isRefused: false, problem: problem === 'tooEarly' && isOfFormerHours ? 'ofFormerHours' : problem, after }
}

const problemWords: Record<EventProblem | 'payLocked', string> = {
  notTakingPlace: 'the shift did not take place',
  timesCorrected: 'the times were corrected',
  tooEarly: `more than ${EARLY_START_HOURS} hours before the planned start`,
  noStart: 'no start',
  plannedAgain: 'the shift was planned again later, or its pay is locked',
  beforeStart: 'before the start',
  deleted: 'the shift was deleted',
  ofFormerDriver: 'the shift was given to another driver',
  ofFormerHours: 'the shift was moved',
  payLocked: 'its pay is locked',
}

/** A problem in a few words. */
export const describeEventProblem = (problem: EventProblem | 'payLocked'): string => problemWords[problem]

/** Why an event does not count, in a few words; empty if it counts. A former driver of the shift is named. */
export function describeDriverEvent(shift: DriverEventFacts, event: DriverEvent, formerDriver = ''): string {
  if (formerDriver !== '') return `reported by ${formerDriver}, who had the shift before`
  const problem = problemOfDriverEvent(shift, event)
  return problem ? describeEventProblem(problem) : ''
}
