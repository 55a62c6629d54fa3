import type { ThingInTheWay } from '@roadshow/contract/platform/in-the-way'

/** Shifts in the way, in words and one by one. */
export interface ShiftsInTheWay {
  words: string
  shifts: readonly { uid: string; version: number; isPlanned: boolean }[]
}

export interface ShiftsDialogProps {
  inTheWay: ShiftsInTheWay
  /** The shifts are out of the way: what was refused can be done. */
  onDone: () => void
  onClose: () => void
}

export const shiftsInTheWay = ({ name, act }: ThingInTheWay): ShiftsInTheWay => ({
  words: name,
  shifts: act?.kind === 'moveOrCancel' ? act.shifts : [],
})
