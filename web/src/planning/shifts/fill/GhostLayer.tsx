import { use } from 'react'
import { BAR_HEIGHT, barTop, lengthOf, minutesOf, shortName } from '../board/boardModel.ts'
import type { BoardRowModel } from '../board/boardModel.ts'
import { formatShiftHours, formatShiftTime } from '../shiftText.ts'
import { GhostContext } from './ghosts.ts'
import type { Ghost } from './ghosts.ts'
import styles from './GhostLayer.module.css'

interface GhostLayerProps {
  rows: readonly BoardRowModel[]
  days: readonly string[]
  byHours: boolean
}

const DAY_MINUTES = 24 * 60
/** Where a day has bars already, a ghost is a thin line below them. */
const THIN_HEIGHT = 10

/** Where a ghost stands on the canvas; undefined beyond the shown trucks and days. */
function boxOf(ghost: Ghost, { rows, days, byHours }: GhostLayerProps) {
  const row = rows.find(({ truck }) => truck?.uid === ghost.truck.uid)
  const column = days.indexOf(ghost.date)
  if (!row || column < 0) return undefined
  const from = byHours ? minutesOf(ghost.start) / DAY_MINUTES : 0
  const length = byHours ? Math.min(1 - from, lengthOf(ghost) / DAY_MINUTES) : 1
  const isThin = !byHours && row.bars.some((bar) => bar.column === column)
  return {
    isThin,
    style: {
      top: isThin ? row.top + row.height - THIN_HEIGHT - 1 : row.top + barTop(0),
      height: isThin ? THIN_HEIGHT : BAR_HEIGHT,
      left: `calc(var(--first) + (100% - var(--first)) * ${(column + from) / days.length} + 3px)`,
      width: `calc((100% - var(--first)) * ${length / days.length} - 6px)`,
    },
  }
}

const nameOf = (ghost: Ghost) =>
  `Proposed: ${ghost.truck.name}, ${ghost.driver.name}, ${ghost.market.name}, ${formatShiftTime(ghost)}`

/** The shifts of a fill proposal on the board, dashed. Each opens to be changed or removed. */
export function GhostLayer(frame: GhostLayerProps) {
  const board = use(GhostContext)
  return board?.ghosts.map((ghost) => {
    const box = boxOf(ghost, frame)
    return (
      box && (
        <button
          key={ghost.key}
          type="button"
          className={styles.ghost}
          style={box.style}
          data-refused={ghost.refusal !== undefined}
          aria-label={nameOf(ghost)}
          title={nameOf(ghost)}
          // The board would start to drag or open a new shift.
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => board.onOpen(ghost.key)}
        >
          {!box.isThin && (
            <>
              <span>{shortName(ghost.driver.name)}</span>
              <span className="figures">{formatShiftHours(ghost)}</span>
            </>
          )}
        </button>
      )
    )
  })
}
