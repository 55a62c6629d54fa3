import {
  blocksTruck,
  DAY_MS,
  driverMoves,
  earlyStartRefusal,
  type RowAccess,
  type Shift,
  shiftMoves,
  type ShiftStatus,
  shiftStatusLabel,
} from '@roadshow/contract'

const statusWord = (status: ShiftStatus) => shiftStatusLabel[status].toLowerCase()

/** Whether a shift with this status has begun. */
const hasBegun = (status: ShiftStatus): boolean => status === 'out' || status === 'completed'

type MovedShift = Pick<Shift, 'status' | 'startsAt' | 'zone' | 'startedAt'>

interface MoveRequest {
  status: ShiftStatus
  reason: string
  rows: RowAccess
  now: number
}

type MoveVerdict = { refusal: string } | { isReasonMissing: boolean }

/**
 * Whether a shift may get another status: by the table of moves, which is shorter for drivers, and from 2 hours before
 * its planned start. Drivers start before they complete; staff complete a shift that never started with a reason.
 */
export function checkMove(shift: MovedShift, { status, reason, rows, now }: MoveRequest): MoveVerdict {
  const lacksStart = status === 'completed' && shift.startedAt === null
  if (lacksStart && rows === 'own' && blocksTruck(shift.status) && shift.status !== 'completed') {
    return { refusal: 'Start the shift before you complete it.' }
  }
  const moves = (rows === 'own' ? driverMoves[shift.status] : shiftMoves[shift.status]) ?? []
  if (!moves.includes(status)) {
    const allowed = moves.length > 0 ? ` It can only become ${moves.map(statusWord).join(' or ')}.` : ''
    return { refusal: `This change isn't possible for a shift that is ${statusWord(shift.status)}.${allowed}` }
  }
  const early = hasBegun(status) ? earlyStartRefusal(shift, now) : undefined
  return early ? { refusal: early } : { isReasonMissing: lacksStart && reason === '' }
}

/** Refuses other hours for a shift that has begun if it could not have begun at them. */
export function checkBegunHours(
  saved: Pick<Shift, 'status' | 'startedAt' | 'timesReason'>,
  hours: { startsAt: string; zone: string },
  now: number,
): string | undefined {
  if (!hasBegun(saved.status)) return undefined
  const isCorrected = saved.timesReason !== ''
  const at = saved.startedAt === null || isCorrected ? now : Math.min(now, Date.parse(saved.startedAt))
  const early = earlyStartRefusal(hours, at)
  return early && `This shift has already started. ${early}`
}

/** Refuses to delete a shift that took place, because pay and proof rest on it. */
export const checkRemoval = (status: ShiftStatus): string | undefined =>
  hasBegun(status) ? `A shift that is ${statusWord(status)} is part of the record and can't be deleted.` : undefined

/**
 * The columns about actual times that a move changes. Events from before `…_count_from` do not count. A shift completed
 * without a start keeps its start unknown.
 */
export function timesAfterMove(
  { startedAt, stoppedAt }: Pick<Shift, 'startedAt' | 'stoppedAt'>,
  status: ShiftStatus,
  now: string,
) {
  if (status === 'completed') return { stopped_at: startedAt ? (stoppedAt ?? now) : stoppedAt }
  // The shift goes on from now: stops that were reported for an earlier time no longer end it.
  if (status === 'out') {
    return { started_at: startedAt ?? now, stopped_at: null, stop_corrected: false, stops_count_from: now }
  }
  return {
    started_at: null,
    stopped_at: null,
    times_reason: '',
    start_corrected: false,
    stop_corrected: false,
    starts_count_from: now,
    stops_count_from: now,
  }
}

export interface CorrectedTimes {
  startedAt: string
  stoppedAt: string | null
}

type CorrectedShift = Pick<Shift, 'status' | 'startsAt' | 'endsAt' | 'zone'>

/** Refuses a correction of actual times: a sentence, or one for each field. */
export function checkCorrection(
  shift: CorrectedShift,
  { startedAt, stoppedAt }: CorrectedTimes,
  now: number,
): { refusal?: string; fields: Partial<Record<keyof CorrectedTimes, string>> } {
  if (!blocksTruck(shift.status)) {
    return { refusal: `The shift is marked ${statusWord(shift.status)}. Plan it again first.`, fields: {} }
  }
  const early = earlyStartRefusal(shift, now)
  if (early) return { refusal: early, fields: {} }
  const [from, to] = [Date.parse(shift.startsAt) - DAY_MS, Date.parse(shift.endsAt) + DAY_MS]
  const problemOf = (at: number) => {
    if (at > now) return 'Must not be in the future.'
    return at < from || at > to ? 'Must be within a day of the planned hours.' : undefined
  }
  const start = problemOf(Date.parse(startedAt))
  const stop = stoppedAt === null ? undefined : problemOf(Date.parse(stoppedAt))
  const isReversed = stoppedAt !== null && Date.parse(stoppedAt) < Date.parse(startedAt)
  return {
    fields: {
      ...(start && { startedAt: start }),
      ...(stop ? { stoppedAt: stop } : isReversed && { stoppedAt: 'Must not be before the start.' }),
    },
  }
}
