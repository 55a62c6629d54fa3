import type { PayPeriodState } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { approvalConflict, checkPeriodMove, isPeriodOver } from './period-rules.ts'

test.each<[string, string, boolean]>([
  ['2024-08-11', '2024-08-12T09:59:59Z', false],
  ['2024-08-11', '2024-08-12T10:00:00Z', true],
  ['2024-08-11', '2024-08-11T23:00:00Z', false],
  ['2024-08-10', '2024-08-11T23:00:00Z', true],
])('a period that ends on %s is over at %s, when the day has ended in Hawaii: %s', (lastDay, now, isOver) => {
  expect(isPeriodOver(lastDay, Date.parse(now))).toBe(isOver)
})

test('days of closed periods are not approved again, and the periods are named', () => {
  expect(approvalConflict([])).toBeUndefined()
  const closed = [
    { from: '2024-08-05', to: '2024-08-11', state: 'approved' as const },
    { from: '2024-08-12', to: '2024-08-12', state: 'locked' as const },
  ]
  expect(approvalConflict(closed)).toBe(
    'Some of these days are already settled: Aug 5, 2024 – Aug 11, 2024 (approved) and Aug 12, 2024 (locked).',
  )
})

const needsApproval = { refusal: 'Approve the pay period first.' }
const impossible = (state: string, moves: string) => ({
  refusal: `This change isn't possible for a pay period that is ${state}: it can become ${moves}.`,
})

test.each<[PayPeriodState, PayPeriodState, string, object]>([
  ['open', 'approved', '', needsApproval],
  ['open', 'locked', '', needsApproval],
  ['approved', 'locked', '', { reason: 'unchanged' }],
  ['approved', 'open', '', { reason: 'unchanged' }],
  ['approved', 'approved', '', impossible('approved', 'locked or open')],
  ['locked', 'approved', '', { isReasonMissing: true }],
  ['locked', 'approved', 'A wrong rate', { reason: 'new' }],
  ['locked', 'open', 'A wrong rate', impossible('locked', 'approved')],
])('from %s to %s with the reason “%s”', (from, to, reason, verdict) => {
  expect(checkPeriodMove(from, to, reason)).toEqual(verdict)
})
