import type { ErrorBody } from '@roadshow/contract/platform/errors'

export type ShiftsInTheWay = NonNullable<ErrorBody['inTheWay']>

export interface InTheWayProps {
  inTheWay: ShiftsInTheWay
  /** The shifts are out of the way: what was refused can be done. */
  onDone: () => void
}
