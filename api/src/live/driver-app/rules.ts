import type { ActProblem } from '@roadshow/contract'
import type { DriverEventProblem } from '../../planning/shifts/index.ts'

/** What is wrong with an act, in English. The app has its own words. */
export const problemWords: Record<ActProblem, string> = {
  shiftGone: 'Dispatch has deleted the shift.',
  shiftOfAnother: 'This shift isn’t yours.',
  shiftCancelled: 'Dispatch has canceled the shift.',
  shiftMoved: 'Dispatch has moved the shift.',
  tooEarly: 'A shift can start from 2 hours before its planned start.',
  tooFarAway: 'This time is more than a day away from the shift.',
  notStarted: 'The shift has no start before this stop.',
  timesCorrected: 'Dispatch has corrected the times of this shift.',
  payLocked: 'The pay of this day is locked.',
  tooOld: 'This time is older than the data that is kept.',
  future: 'This time is in the future. Check the phone’s clock.',
  fileMissing: 'File not found. Please upload it again.',
  itemMissing: 'An item of the inspection list was not found.',
  idUsed: 'This id is already used by another act.',
  invalid: 'This act cannot be read.',
}

const actProblemOf: Record<DriverEventProblem | 'payLocked', ActProblem> = {
  notTakingPlace: 'shiftCancelled',
  timesCorrected: 'timesCorrected',
  tooEarly: 'tooEarly',
  noStart: 'notStarted',
  plannedAgain: 'shiftMoved',
  beforeStart: 'notStarted',
  payLocked: 'payLocked',
}

/** Why an event of a phone does not count, as the phone is answered. */
export const toActProblem = (problem: DriverEventProblem | 'payLocked' | undefined): ActProblem | null =>
  problem ? actProblemOf[problem] : null
