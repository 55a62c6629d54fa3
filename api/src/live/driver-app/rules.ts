import { type ActProblem, blocksTruck } from '@roadshow/contract'
import type { DriversShift, EventProblem, FormerPlan, ShiftPlan } from '../../planning/shifts/index.ts'

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

const actProblemOf: Record<EventProblem | 'payLocked', ActProblem> = {
  notTakingPlace: 'shiftCancelled',
  timesCorrected: 'timesCorrected',
  tooEarly: 'tooEarly',
  noStart: 'notStarted',
  plannedAgain: 'shiftMoved',
  beforeStart: 'notStarted',
  deleted: 'shiftGone',
  ofFormerDriver: 'shiftOfAnother',
  ofFormerHours: 'shiftMoved',
  payLocked: 'payLocked',
}

/** Why an event of a phone does not count, as the phone is answered. */
export const toActProblem = (problem: EventProblem | 'payLocked' | undefined): ActProblem | null =>
  problem ? actProblemOf[problem] : null

/** Thrown to roll back an act that is refused. */
export class ActRefused extends Error {
  constructor(readonly problem: ActProblem) {
    super(problemWords[problem])
  }
}

/** What has become of the shift of an act; null if it is still the driver's and takes place. */
export function problemOfShift({ isDeleted, isOwn, status }: DriversShift): ActProblem | null {
  if (isDeleted) return 'shiftGone'
  if (!isOwn) return 'shiftOfAnother'
  return blocksTruck(status) ? null : 'shiftCancelled'
}

const isSamePlan = (one: ShiftPlan, other: ShiftPlan) =>
  one.date === other.date && one.start === other.start && one.end === other.end && one.truckUid === other.truckUid

/** The plan that a shift had at an instant; former plans are newest first. */
export const planAt = (shift: DriversShift, former: readonly FormerPlan[], at: string): ShiftPlan =>
  former.findLast(({ until }) => Date.parse(until) > Date.parse(at)) ?? shift

/** The plan that an answer is about: the one the phone showed, if the shift ever had it, or the one of that moment. */
export function answeredPlan(
  shift: DriversShift,
  former: readonly FormerPlan[],
  { seen, at }: { seen: ShiftPlan | null; at: string },
): ShiftPlan & { isCurrent: boolean } {
  const known = seen && [shift, ...former].find((plan) => isSamePlan(plan, seen))
  const plan = known ?? planAt(shift, former, at)
  return { ...plan, isCurrent: isSamePlan(plan, shift) }
}
