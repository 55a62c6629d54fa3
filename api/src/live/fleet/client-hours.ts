import type { ShiftOfTruck } from './day-rules.ts'

/** From one instant up to another, in milliseconds since 1970. */
export interface Hours {
  from: number
  to: number
}

type ClaimingShift = Pick<ShiftOfTruck, 'uid' | 'clientUid' | 'isStarted' | 'held'>

/** Whether a shift has the truck before another that claims it at the same moment. The function truck_rank() says the same. */
const outranks = (one: ClaimingShift, other: ClaimingShift): boolean => {
  if (one.isStarted !== other.isStarted) return one.isStarted
  if (one.held.from !== other.held.from) return one.held.from > other.held.from
  return one.uid > other.uid
}

/** What is left of some hours without those of another. */
const without = (hours: readonly Hours[], { from, to }: Hours): Hours[] =>
  hours
    .flatMap((each) => [
      { from: each.from, to: Math.min(each.to, from) },
      { from: Math.max(each.from, to), to: each.to },
    ])
    .filter((each) => each.from < each.to)

/**
 * The hours up to now in which a truck was on a client's shifts. A moment belongs to one shift: one that was started comes
 * before one that is only planned, then the one that began last.
 */
export function hoursOfClient(shifts: readonly ClaimingShift[], clientUid: string | null, now: number): Hours[] {
  return shifts
    .filter((shift) => shift.clientUid === clientUid)
    .flatMap((own) =>
      shifts
        .filter((other) => other.clientUid !== clientUid && outranks(other, own))
        .reduce((left, other) => without(left, other.held), [{ from: own.held.from, to: Math.min(own.held.to, now) }]),
    )
    .filter((each) => each.from < each.to)
    .toSorted((one, other) => one.from - other.from)
}
