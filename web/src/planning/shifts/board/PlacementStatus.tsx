import { formatShiftTime } from '../shiftText.ts'
import type { BoardIndex } from './boardModel.ts'
import type { Placement } from './placement.ts'
import styles from './PlacementStatus.module.css'

interface PlacementStatusProps {
  index: BoardIndex
  placement: Placement | undefined
  clashes: readonly string[]
}

/** Says below the board, and to screen readers, where the keys have moved a shift. */
export const PlacementStatus = ({ index, placement, clashes }: PlacementStatusProps) => (
  <p role="status" className={styles.said}>
    {placement?.by === 'keys' && describePlacement(index, placement, clashes)}
  </p>
)

function describePlacement(index: BoardIndex, { copies, target }: Placement, clashes: readonly string[]): string {
  const where = `${index.trucks.get(target.truckUid)?.number ?? ''} · ${formatShiftTime(target)}`
  const problem = clashes.length > 0 ? ` Clashes with ${clashes.join('; ')}.` : ''
  return `${copies ? 'Copying' : 'Moving'} to ${where}.${problem} Use the arrow keys to choose a place, Enter to drop, Escape to cancel.`
}
