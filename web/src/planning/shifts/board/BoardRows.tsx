import type { Ref } from 'react'
import type { BoardIndex, BoardRowModel } from './boardModel.ts'
import { BoardRow, tabStopKey } from './BoardRow.tsx'
import type { TabStop } from './tabStops.ts'
import type { PlacementControl } from './placement/usePlacement.ts'
import type { BoardSelection } from './useSelection.ts'
import styles from './BoardGrid.module.css'

interface BoardRowsProps {
  canvas: Ref<HTMLDivElement>
  rows: readonly BoardRowModel[]
  visible: { first: number; last: number }
  days: readonly string[]
  today: string
  byHours: boolean
  index: BoardIndex
  tabStop: TabStop | undefined
  placement: Pick<PlacementControl, 'current' | 'placed'>
  selection: BoardSelection
  /** Whether a search looks for other trucks. */
  isFaded: (row: BoardRowModel) => boolean
}

/** The visible rows, and the row that holds the focus even when it is scrolled away. */
export function BoardRows({ canvas, rows, visible, tabStop, placement, selection, isFaded, ...board }: BoardRowsProps) {
  const bottom = rows.at(-1)
  const shown = rows.flatMap((row, place) =>
    (place >= visible.first && place <= visible.last) || row.truck?.uid === tabStop?.truckUid ? [{ row, place }] : [],
  )
  const leaving = placement.current?.copies === false ? placement.placed.map(({ shift }) => shift) : []
  const leavingOf = ({ key }: BoardRowModel) =>
    leaving.flatMap(({ truckUid, uid }) => (truckUid === key ? [uid] : [])).join(' ')
  const stopOf = ({ truck }: BoardRowModel) =>
    truck && truck.uid === tabStop?.truckUid ? tabStopKey(tabStop.day, tabStop.shiftUid) : undefined
  return (
    <div
      role="rowgroup"
      ref={canvas}
      className={styles.canvas}
      style={{ height: bottom ? bottom.top + bottom.height : 0 }}
    >
      {shown.map(({ row, place }) => (
        <BoardRow
          key={row.key}
          {...board}
          row={row}
          place={place}
          stop={stopOf(row)}
          leaving={leavingOf(row)}
          selected={selection.inRow(row)}
          isFaded={row.isDimmed || isFaded(row)}
        />
      ))}
    </div>
  )
}
