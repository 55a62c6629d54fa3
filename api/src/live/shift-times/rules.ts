import { blocksTruck, type ShiftStatus, type ShiftTimeKind, startWindowOpens, type TruckSign } from '@roadshow/contract'

/** A stretch of time, in milliseconds since 1970. */
interface Stretch {
  from: number
  to: number
}

/** A stretch in which the screens or the wheels of a truck were at work. */
export interface Activity extends Stretch {
  seenBy: TruckSign
}

/** An answer to an earlier question about a recorded time. */
interface EarlierAnswer {
  kind: ShiftTimeKind
  about: number
  seenAt: number
}

/** What decides whether the actual times of a shift are asked about. */
export interface ShiftTimeFacts {
  status: ShiftStatus
  startsAt: number
  endsAt: number
  startedAt: number | null
  stoppedAt: number | null
  isStartCorrected: boolean
  isStopCorrected: boolean
  /** Starts before this moment don't count, because the shift was planned again. */
  startsCountFrom: number | null
  isPayLocked: boolean
  answers: readonly EarlierAnswer[]
  /** The hours in which other shifts hold the truck. */
  heldByOthers: readonly Stretch[]
}

/** The time around a recorded start or stop in which activity would contradict it. */
export interface AskableTime extends Stretch {
  kind: ShiftTimeKind
  about: number
}

interface SeenTime extends Pick<AskableTime, 'kind' | 'about'> {
  at: number
  seenBy: TruckSign
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TOLERATED_MS = 10 * MINUTE_MS
const BEFORE_START_MS = 2 * HOUR_MS
const AFTER_STOP_MS = 12 * HOUR_MS
/** Events further from the shift belong to another one. */
const AFTER_END_MS = 24 * HOUR_MS
/** After a longer rest a truck does not go on with its shift: it is driven for another reason. */
const REST_MS = HOUR_MS

/** A time was asked about if an answer is about it, or has set it. */
const wasAnswered = (answers: readonly EarlierAnswer[], kind: ShiftTimeKind, time: number) =>
  answers.some((answer) => answer.kind === kind && (answer.about === time || answer.seenAt === time))

function startTime(shift: ShiftTimeFacts): AskableTime[] {
  const { startedAt, startsCountFrom, heldByOthers } = shift
  if (startedAt === null || shift.isStartCorrected || wasAnswered(shift.answers, 'start', startedAt)) return []
  const earlier = heldByOthers.filter(({ from }) => from < startedAt).map(({ to }) => to)
  const opens = [startWindowOpens(shift.startsAt), startedAt - BEFORE_START_MS, startsCountFrom ?? -Infinity]
  return [{ kind: 'start', about: startedAt, from: Math.max(...opens, ...earlier), to: startedAt }]
}

function stopTime(shift: ShiftTimeFacts, now: number): AskableTime[] {
  const { stoppedAt, heldByOthers } = shift
  if (stoppedAt === null || shift.isStopCorrected || wasAnswered(shift.answers, 'stop', stoppedAt)) return []
  const later = heldByOthers.filter(({ to }) => to > stoppedAt).map(({ from }) => from)
  const closes = [now, stoppedAt + AFTER_STOP_MS, shift.endsAt + AFTER_END_MS]
  return [{ kind: 'stop', about: stoppedAt, from: stoppedAt, to: Math.min(...closes, ...later) }]
}

/** The recorded times of a shift that may be asked about. Corrected and answered times and locked pay are settled. */
export function askableTimes(shift: ShiftTimeFacts, now: number): AskableTime[] {
  if (!blocksTruck(shift.status) || shift.isPayLocked || shift.startedAt === null) return []
  return [...startTime(shift), ...stopTime(shift, now)].filter(({ from, to }) => to - from > TOLERATED_MS)
}

const inOrder = (one: Activity, other: Activity) => one.from - other.from || one.seenBy.localeCompare(other.seenBy)

/**
 * The time that the truck's own data show instead of a recorded one, if it differs by more than ten minutes. A stop is
 * asked about once the truck rests. The order of the activity does not matter, nor does what is given twice.
 */
export function seenTime(time: AskableTime, activity: readonly Activity[], now: number): SeenTime | undefined {
  const { kind, about } = time
  const within = activity
    .map((each) => ({ ...each, from: Math.max(each.from, time.from), to: Math.min(each.to, time.to) }))
    .filter(({ from, to }) => from <= to)
    .toSorted(inOrder)
  const seen = kind === 'start' ? within[0] && { ...within[0], at: within[0].from } : lastWithoutRest(about, within)
  if (!seen || Math.abs(seen.at - about) <= TOLERATED_MS) return undefined
  return kind === 'stop' && now - seen.at <= TOLERATED_MS
    ? undefined
    : { kind, about, at: seen.at, seenBy: seen.seenBy }
}

/** The end of the activity that went on after a stop. */
function lastWithoutRest(stoppedAt: number, activity: readonly Activity[]) {
  let last: { at: number; seenBy: TruckSign } | undefined
  for (const { from, to, seenBy } of activity) {
    const until = last?.at ?? stoppedAt
    if (from - until > REST_MS) break
    if (to > until) last = { at: to, seenBy }
  }
  return last
}
