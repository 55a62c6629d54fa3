import type { RefusalGroup } from '@roadshow/contract'

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
  const groups = new Map<string, RefusalGroup>()
  for (const { reason, uid, name, detail } of refusals) {
    const group = groups.get(reason) ?? { reason, shifts: [] }
    group.shifts.push({ uid, name, detail })
    groups.set(reason, group)
  }
  return [...groups.values()].toSorted((one, other) => other.shifts.length - one.shifts.length)
}
