import type { PayStatement } from './payroll.ts'

/** Why a shift is or is not paid, for words of the driver's own language. */
export type PayReason =
  | 'halfDay'
  | 'eightHours'
  | 'twelveHours'
  | 'undecided'
  | 'notCompleted'
  | 'cancelled'
  | 'noShow'
  | 'unpaid'

export function payReason({
  option,
  needsDecision,
  status,
}: Pick<PayStatement['lines'][number], 'option' | 'needsDecision' | 'status'>): PayReason {
  if (option) return option
  if (needsDecision) return 'undecided'
  if (status === 'planned' || status === 'out') return 'notCompleted'
  return status === 'completed' ? 'unpaid' : status
}
