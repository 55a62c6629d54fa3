import {
  formatDays,
  localDay,
  needsUnlockReason,
  payPeriodMoves,
  type PayPeriodRef,
  type PayPeriodState,
  payPeriodStateLabel,
  countOf,
} from '@roadshow/contract'
import { joinNames } from '../../platform/runtime/app-error.ts'

// The country's westernmost zone: a day that is over there is over everywhere.
const LAST_ZONE = 'Pacific/Honolulu'

const stateWord = (state: PayPeriodState) => payPeriodStateLabel[state].toLowerCase()

export const isPeriodOver = (lastDay: string, now: number): boolean => lastDay < localDay(LAST_ZONE, now)

/** Why some days cannot be approved, given the closed periods that overlap them; undefined if they can. */
export function approvalConflict(closed: readonly Pick<PayPeriodRef, 'from' | 'to' | 'state'>[]): string | undefined {
  if (closed.length === 0) return undefined
  const names = closed.map(({ from, to, state }) => `${formatDays(from, to)} (${stateWord(state)})`)
  return `Some of these days are already settled: ${joinNames(names)}.`
}

/** Why a period with shifts that need a decision cannot be approved; undefined without such shifts. */
export function undecidedRefusal(shifts: number): string | undefined {
  if (shifts === 0) return undefined
  const counted = `${countOf(shifts, 'shift')} ${shifts === 1 ? 'needs' : 'need'}`
  return `${counted} a decision: pay or do not pay. Decide on them before you approve this pay period.`
}

type MoveVerdict = { refusal: string } | { isReasonMissing: true } | { reason: 'new' | 'unchanged' }

/** Whether a period may get another state, and which reason it has then: unlocking needs a new one. */
export function checkPeriodMove(from: PayPeriodState, to: PayPeriodState, reason: string): MoveVerdict {
  const moves = payPeriodMoves[from]
  if (!moves.includes(to)) return { refusal: refusalOf(from, moves) }
  if (!needsUnlockReason(from, to)) return { reason: 'unchanged' }
  return reason === '' ? { isReasonMissing: true } : { reason: 'new' }
}

function refusalOf(from: PayPeriodState, moves: readonly PayPeriodState[]): string {
  return moves.length > 0
    ? `This change isn't possible for a pay period that is ${stateWord(from)}: it can become ${moves.map(stateWord).join(' or ')}.`
    : 'Approve the pay period first.'
}
