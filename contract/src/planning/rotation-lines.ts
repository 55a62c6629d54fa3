import type { Daypart, LoopLine } from './loop-lines.ts'

// What a program shows in turn, without schemas, so that pages can compute with it.

export const rotationShares = ['weight', 'playsAnHour'] as const
export type RotationShare = (typeof rotationShares)[number]
export const rotationShareLabel: Record<RotationShare, string> = { weight: 'Weight', playsAnHour: 'Plays an hour' }

export const MAX_ROTATION_LINES = 30
/** A spot is five seconds at least. */
export const MAX_AMOUNT: Record<RotationShare, number> = { weight: 100, playsAnHour: 720 }

/** When and how much a line is shown, as it is stored. */
export interface PlannedLine {
  uid: string
  share: RotationShare
  amount: number
  from: string | null
  to: string | null
  weekdays: readonly number[]
  spotMs: number
}

const DAYS_A_WEEK = 7

function daypartOf({ from, to, weekdays }: Pick<PlannedLine, 'from' | 'to' | 'weekdays'>): Daypart | null {
  if (from === null && weekdays.length === DAYS_A_WEEK) return null
  return { from: from ?? '00:00', to: to ?? '00:00', weekdays }
}

/** A line as the loop's rules take it. */
export const toLoopLine = ({ uid, share, amount, spotMs, ...hours }: PlannedLine): LoopLine => ({
  uid,
  spotMs,
  share: share === 'weight' ? { weight: amount } : { playsAnHour: amount },
  daypart: daypartOf(hours),
  addressUids: null,
})
