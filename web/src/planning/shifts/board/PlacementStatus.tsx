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
  const where = `${index.trucks.get(target.truckUid)?.number ?? ''}, ${target.date} ${target.start}–${target.end}`
  const problem = clashes.length > 0 ? ` Clashes with ${clashes.join('; ')}.` : ''
  return `${copies ? 'Copying' : 'Moving'} to ${where}.${problem} Arrow keys choose the place, Enter drops, Escape cancels.`
}
