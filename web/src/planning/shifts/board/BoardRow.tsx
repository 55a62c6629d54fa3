import { truckStateLabel } from '@roadshow/contract/catalog/trucks'
import { memo } from 'react'
import type { Bar, BoardIndex, BoardRowModel } from './boardModel.ts'
import { ShiftBar } from './ShiftBar.tsx'
import { dayLabel } from '../shiftText.ts'
import styles from './BoardRow.module.css'

interface BoardRowProps {
  row: BoardRowModel
  place: number
  days: readonly string[]
  today: string
  byHours: boolean
  index: BoardIndex
  /** The tab stop in this row, if it has it. */
  stop: string | undefined
  /** The shift of this row that is being moved. */
  leaving: string | undefined
}

/** The key of a tab stop: a shift, or a day without shifts. */
export const tabStopKey = (day: string, shiftUid = '') => `${day} ${shiftUid}`

/** One truck of the board, or a group heading. Memoized: it renders only when its own props change. */
export const BoardRow = memo(function BoardRow(props: BoardRowProps) {
  const { row, place, days, today, byHours, index, stop, leaving } = props
  const { truck, title, top, height } = row
  const rowProps = { role: 'row', 'aria-rowindex': place + 2, style: { top, height } }
  if (!truck) {
    return (
      <div {...rowProps} className={styles.heading}>
        <div role="rowheader" aria-colspan={days.length + 1}>
          <span>{title}</span>
        </div>
      </div>
    )
  }
  const inColumns: Bar[][] = days.map(() => [])
  for (const bar of row.bars) inColumns[bar.column]?.push(bar)
  return (
    <div {...rowProps} className={styles.row}>
      <div role="rowheader" className={styles.truck}>
        <span>{truck.number}</span>
        {truck.state !== 'active' && <small>{truckStateLabel[truck.state]}</small>}
      </div>
      {days.map((day, column) => {
        const bars = inColumns[column] ?? []
        const isFree = bars.length === 0
        return (
          <div
            key={day}
            role="gridcell"
            aria-colindex={column + 2}
            className={styles.cell}
            data-truck={truck.uid}
            data-day={day}
            data-today={day === today}
            data-hours={byHours}
            {...(isFree && {
              tabIndex: stop === tabStopKey(day) ? 0 : -1,
              'aria-label': `${truck.number}, ${dayLabel(day)}, no shift`,
            })}
          >
            {bars.map((bar) => (
              <ShiftBar
                key={bar.shift.uid}
                bar={bar}
                index={index}
                byHours={byHours}
                isTight={days.length > 7}
                isTabStop={stop === tabStopKey(day, bar.shift.uid)}
                isLeaving={leaving === bar.shift.uid}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
})
