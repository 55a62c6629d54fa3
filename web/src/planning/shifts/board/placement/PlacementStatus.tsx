import { countOf } from '@roadshow/contract/platform/figures'
import { formatShiftTime } from '../../shiftText.ts'
import type { BoardIndex } from '../boardModel.ts'
import type { Placement } from './placement.ts'

interface PlacementStatusProps {
  index: BoardIndex
  placement: Placement | undefined
  /** How many shifts are placed together. */
  count: number
  clashes: readonly string[]
}

/** Says below the board, and to screen readers, where the keys have moved a shift. */
export const PlacementStatus = ({ index, placement, count, clashes }: PlacementStatusProps) => (
  <div role="status">{placement?.by === 'keys' && describePlacement(index, placement, count, clashes)}</div>
)

function describePlacement(
  index: BoardIndex,
  { copies, target }: Placement,
  count: number,
  clashes: readonly string[],
): string {
  const where = `${index.trucks.get(target.truckUid)?.number ?? ''} · ${formatShiftTime(target)}`
  const others = count > 1 ? `, with ${countOf(count - 1, 'other shift')}` : ''
  const problem = clashes.length > 0 ? ` Clashes with ${clashes.join('; ')}.` : ''
  return `${copies ? 'Copying' : 'Moving'} to ${where}${others}.${problem} Use the arrow keys to choose a place, Enter to drop, Escape to cancel.`
}
