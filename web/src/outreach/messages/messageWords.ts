import type { MessageAttempt, MessageState } from '@roadshow/contract/outreach/messages'
import type { Tone } from '../../ui/text/StateTag.tsx'

export const stateTone: Record<MessageState, Tone> = {
  waiting: 'parked',
  late: 'warn',
  sent: 'driving',
  dead: 'bad',
  cancelled: 'silent',
}

export const outcomeTone: Record<MessageAttempt['outcome'], Tone> = {
  accepted: 'driving',
  failed: 'warn',
  refused: 'bad',
  cancelled: 'silent',
}

/** How long an attempt took: `40 ms`, `1.2 s`. */
export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
