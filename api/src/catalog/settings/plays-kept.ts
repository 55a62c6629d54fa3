import type { Settings } from '@roadshow/contract'
import { keptSince } from '../../platform/db/partitions.ts'

/** The oldest moment whose plays are kept: that of the retention, or of a legal hold where it is earlier. */
export function playsKeptSince({ keepPlaysDays, holdPlaysFrom }: Settings, now: number): number {
  const kept = keptSince(keepPlaysDays, now)
  return holdPlaysFrom === null ? kept : Math.min(kept, Date.parse(holdPlaysFrom))
}
