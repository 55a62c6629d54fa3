import type { Words } from '../words/index.ts'
import type { ShiftFacts } from '../shift-rules.ts'
import { shiftPhase } from '../shift-rules.ts'

/** Where a shift stands, in a word. */
export function statusText(shift: ShiftFacts, now: number, words: Words): string {
  const phase = shiftPhase(shift, now)
  if (phase === 'running') return words.statusRunning
  if (phase === 'runningOver') return words.statusRunningOver
  if (phase === 'cancelled') return words.statusCanceled
  if (shift.status === 'completed') return words.statusCompleted
  return shift.status === 'noShow' ? words.statusNoShow : words.statusPlanned
}
