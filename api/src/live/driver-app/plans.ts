import type { DriversShift, FormerPlan, ShiftPlan } from '../../planning/shifts/index.ts'

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
