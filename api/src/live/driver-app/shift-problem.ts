import { type ActProblem, blocksTruck } from '@roadshow/contract'
import type { DriversShift } from '../../planning/shifts/index.ts'

/** What has become of the shift of an act; null if it is still the driver's and takes place. */
export function problemOfShift({ isDeleted, isOwn, status }: DriversShift): ActProblem | null {
  if (isDeleted) return 'shiftGone'
  if (!isOwn) return 'shiftOfAnother'
  return blocksTruck(status) ? null : 'shiftCancelled'
}
