import { use, useEffect, useRef } from 'react'
import { BAR_HEIGHT, barTop, lengthOf, minutesOf, shortName } from '../board/boardModel.ts'
import type { BoardRowModel } from '../board/boardModel.ts'
import { formatShiftHours, formatShiftTime } from '../shiftText.ts'
import { GhostContext } from './ghosts.ts'
import type { Ghost, GhostBoard } from './ghosts.ts'
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

interface Drawn {
  ghost: Ghost
  box: NonNullable<ReturnType<typeof boxOf>>
}

const nameOf = (ghost: Ghost) =>
  `Proposed: ${ghost.truck.name}, ${ghost.driver.name}, ${ghost.market.name}, ${formatShiftTime(ghost)}`

/** Scrolls to the first ghost of each proposal as soon as it is drawn, and to the one that is opened. */
function useGhostInView({ of = '', opened }: Partial<Pick<GhostBoard, 'of' | 'opened'>>) {
  const target = useRef<HTMLButtonElement>(null)
  const seen = useRef<string>(undefined)
  useEffect(() => {
    const wanted = `${of} ${opened ?? ''}`
    if (!target.current || seen.current === wanted) return
    // Closing the one that was opened leaves the board where it is.
    const isClosed = opened === undefined && seen.current?.startsWith(`${of} `)
    seen.current = wanted
    if (!isClosed) target.current.scrollIntoView({ block: 'center', inline: 'center' })
  })
  return target
}

/** The shifts of a fill proposal on the board, dashed. Each opens to be changed or removed. */
export function GhostLayer(frame: GhostLayerProps) {
  const board = use(GhostContext)
  const inView = useGhostInView(board ?? {})
  const drawn = (board?.ghosts ?? []).flatMap((ghost) => {
    const box = boxOf(ghost, frame)
    return box ? [{ ghost, box }] : []
  })
  const isHigher = (one: Drawn, other: Drawn) => one.box.style.top < other.box.style.top
  const first = drawn.reduce<Drawn | undefined>((top, each) => (top && !isHigher(each, top) ? top : each), undefined)
  const target = board?.opened ?? first?.ghost.key
  return drawn.map(({ ghost, box }) => (
    <button
      key={ghost.key}
      ref={ghost.key === target ? inView : null}
      type="button"
      className={styles.ghost}
      style={box.style}
      data-refused={ghost.refusal !== undefined}
      aria-label={nameOf(ghost)}
      title={nameOf(ghost)}
      // The board would start to drag or open a new shift.
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => board?.onOpen(ghost.key)}
    >
      {!box.isThin && (
        <>
          <span>{shortName(ghost.driver.name)}</span>
          <span className="figures">{formatShiftHours(ghost)}</span>
        </>
      )}
    </button>
  ))
}
