import type { RefusalGroup } from '@roadshow/contract'
import { groupBy } from '../../../platform/runtime/group-by.ts'

/** A shift that cannot be changed or added, and why. */
export interface Refusal {
  uid: string
  name: string
  /** A sentence that other shifts may share. */
  reason: string
  /** What exactly is in the way; empty if the reason says it all. */
  detail: string
}

/** Groups refusals by reason, the most frequent reason first. */
export function groupRefusals(refusals: readonly Refusal[]): RefusalGroup[] {
  return [...groupBy(refusals, ({ reason }) => reason)]
    .map(([reason, group]) => ({ reason, shifts: group.map(({ uid, name, detail }) => ({ uid, name, detail })) }))
    .toSorted((one, other) => other.shifts.length - one.shifts.length)
}
