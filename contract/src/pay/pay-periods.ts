import * as z from '../platform/zod.ts'
import { day, instant, uid, version } from '../platform/common.ts'
import { daysBetween } from '../planning/shift-time.ts'

export const payPeriodStates = ['open', 'approved', 'locked'] as const
export const payPeriodState = z.enum(payPeriodStates, 'Choose open, approved or locked.')
export type PayPeriodState = z.infer<typeof payPeriodState>
export const payPeriodStateLabel: Record<PayPeriodState, string> = {
  open: 'Open',
  approved: 'Approved',
  locked: 'Locked',
}
/** The possible states after each state; approving an open period has an endpoint of its own. */
export const payPeriodMoves: Record<PayPeriodState, readonly PayPeriodState[]> = {
  open: [],
  approved: ['locked', 'open'],
  locked: ['approved'],
}
/** Unlocking needs a reason. */
export const needsUnlockReason = (from: PayPeriodState, to: PayPeriodState): boolean =>
  from === 'locked' && to !== 'locked'

/** A pay period is at most a quarter long. */
export const MAX_PAY_DAYS = 92

export const payPeriod = z.strictObject({
  uid,
  from: day,
  to: day,
  state: payPeriodState,
  /** Why it was last unlocked; empty otherwise. */
  reason: z.string(),
  /** Null while it is open. */
  approvedAt: instant.nullable(),
  /** Null unless it is locked. */
  lockedAt: instant.nullable(),
  /** Frozen at approval; zero while it is open. */
  drivers: z.int(),
  shifts: z.int(),
  cents: z.int(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type PayPeriod = z.infer<typeof payPeriod>

/** A short reference to a pay period. */
export const payPeriodRef = payPeriod.pick({ uid: true, from: true, to: true, state: true, version: true })
export type PayPeriodRef = z.infer<typeof payPeriodRef>

/** What the server fills in for days that a call leaves out. */
export const FILLED_PAY_PERIOD = {
  from: 'the first day of the pay period of today, US Central, or of the last day',
  to: 'the last day of the pay period of the first day',
}

export const paySpan = { from: day, to: day }
/** Checks that the days are in order and not too many. */
export const withinPayDays = <T extends z.ZodType<{ from: string; to: string }>>(input: T) =>
  input.refine(({ from, to }) => from <= to && daysBetween(from, to) < MAX_PAY_DAYS, {
    path: ['to'],
    error: `Must be at most ${MAX_PAY_DAYS - 1} days after the first day, and not before it.`,
  })
