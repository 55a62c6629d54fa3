import { formatClock } from '@roadshow/contract/platform/dates'
import { truckStateLabel } from '@roadshow/contract/catalog/trucks'
import { cellRefusal } from '@roadshow/contract/planning/board-cells'
import type { NightTail } from '@roadshow/contract/planning/board-cells'
import { memo } from 'react'
import { MOST_NAMES } from './boardModel.ts'
import type { Bar, BoardIndex, BoardRowModel } from './boardModel.ts'
import { ShiftBar } from './ShiftBar.tsx'
import { ShopStay } from './ShopStay.tsx'
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
  /** The shifts of this row that are being moved, as one text: rows with equal texts need not be drawn again. */
  leaving: string
  /** The shifts of this row that are chosen. */
  selected: string
  /** Filters or a search look for other trucks. */
  isFaded: boolean
}

/** The key of a tab stop: a shift, or a day without shifts. */
export const tabStopKey = (day: string, shiftUid = '') => `${day} ${shiftUid}`

const refusalText = {
  deleted: 'truck deleted',
  retired: 'truck retired',
  inShop: 'truck in the shop',
  payLocked: 'pay locked',
}

/** The night of another day that reaches into this one. */
const tailText = ({ shift, day }: NightTail) =>
  shift.date < day ? `until ${formatClock(shift.end)}` : `from ${formatClock(shift.start)}`

/** What a cell without a bar is: free, or why not. */
function emptyText(refusal: keyof typeof refusalText | undefined, tail: NightTail | undefined): string {
  if (refusal) return refusalText[refusal]
  return tail ? `booked ${tailText(tail)}` : 'no shift'
}

interface OffRowProps {
  row: BoardRowModel
  role: string
  'aria-rowindex': number
  style: { top: number; height: number }
}

/** The drivers who are off, day by day. */
const OffRow = ({ row, ...rowProps }: OffRowProps) => (
  <div {...rowProps} className={`${styles.row} ${styles.off}`}>
    <div role="rowheader" className={styles.truck}>
      <span>{row.title}</span>
    </div>
    {row.off.map((times, column) => (
      // oxlint-disable-next-line react/no-array-index-key -- a column is its place
      <div key={column} role="gridcell" aria-colindex={column + 2} className={styles.names}>
        {times.slice(0, MOST_NAMES).map(({ uid, driver, reason }) => (
          <span key={uid} title={reason === '' ? driver.name : `${driver.name}: ${reason}`}>
            {driver.name}
          </span>
        ))}
        {times.length > MOST_NAMES && <span>{times.length - MOST_NAMES} more</span>}
      </div>
    ))}
  </div>
)

/** One truck of the board, or a group heading. Memoized: it renders only when its own props change. */
export const BoardRow = memo(function BoardRow(props: BoardRowProps) {
  const { row, place, days, today, byHours, index, stop, leaving, selected, isFaded } = props
  const { truck, title, top, height } = row
  const rowProps = { role: 'row', 'aria-rowindex': place + 2, style: { top, height } }
  if (row.off.length > 0) return <OffRow {...rowProps} row={row} />
  if (!truck) {
    return (
      <div {...rowProps} className={styles.heading} data-faded={isFaded}>
        <div role="rowheader" aria-colspan={days.length + 1}>
          <span>{title}</span>
        </div>
      </div>
    )
  }
  const inColumns: Bar[][] = days.map(() => [])
  for (const bar of row.bars) inColumns[bar.column]?.push(bar)
  return (
    <div {...rowProps} className={styles.row} data-faded={isFaded}>
      <div
        role="rowheader"
        className={styles.truck}
        data-row={truck.uid}
        {...(row.bars.length > 0 && { title: `Select the shifts of ${truck.number} (Shift+Space)` })}
      >
        <span>{truck.number}</span>
        {(truck.isDeleted || truck.state !== 'active') && (
          <small>{truck.isDeleted ? 'Deleted' : truckStateLabel[truck.state]}</small>
        )}
      </div>
      {days.map((day, column) => {
        const bars = inColumns[column] ?? []
        const refusal = cellRefusal(truck, day, { lockedPay: index.lockedPay, shopTimes: row.shopTimes })
        const tail = row.tails.get(column)
        const stays = row.stays.filter((stay) => stay.column === column)
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
            data-refused={refusal}
            title={stays.find(({ words }) => words)?.words}
            {...(bars.length === 0 && {
              tabIndex: stop === tabStopKey(day) ? 0 : -1,
              'aria-label': `${truck.number}, ${dayLabel(day)}, ${emptyText(refusal, tail)}`,
            })}
          >
            {stays.map((stay) => (
              <ShopStay key={stay.uid} stay={stay} isAlone={bars.length === 0} />
            ))}
            {tail && (
              <span className={styles.tail} data-alone={bars.length === 0}>
                {tailText(tail)}
              </span>
            )}
            {bars.map((bar) => (
              <ShiftBar
                key={bar.shift.uid}
                bar={bar}
                index={index}
                byHours={byHours}
                isTight={days.length > 7}
                isTabStop={stop === tabStopKey(day, bar.shift.uid)}
                isLeaving={leaving.includes(bar.shift.uid)}
                isSelected={selected.includes(bar.shift.uid)}
                isFaded={isFaded || !bar.shift.isMatch}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
})
