import { formatHour } from '@roadshow/contract/platform/dates'
import { dayLabel } from '../shiftText.ts'
import styles from './BoardHead.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => `${hour}:00`)

interface BoardHeadProps {
  days: readonly string[]
  today: string
  byHours: boolean
}

/** The days of a board, or the hours of its one day. */
export const BoardHead = ({ days, today, byHours }: BoardHeadProps) => (
  <div role="rowgroup" className={styles.head}>
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      <div role="columnheader" aria-colindex={1} className={styles.corner}>
        Truck
      </div>
      {days.map((day, column) => (
        <div
          key={day}
          role="columnheader"
          aria-colindex={column + 2}
          className={byHours ? styles.hours : styles.day}
          data-today={day === today}
          aria-label={`${dayLabel(day)}${day === today ? ', today' : ''}`}
        >
          {byHours ? HOURS.map((hour) => <span key={hour}>{formatHour(hour)}</span>) : dayLabel(day)}
        </div>
      ))}
    </div>
  </div>
)
