import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useMemo } from 'react'
import styles from './DayPicker.module.css'

interface DayCalendarProps {
  /** As the API writes a day: `2026-07-01`. */
  value: string | null
  onPick: (day: string | null) => void
  onClose: () => void
}

/** The open calendar of a day picker. It brings the date library of antd, which nothing else needs. */
export default function DayCalendar({ value, onPick, onClose }: DayCalendarProps) {
  // A picker takes another object for another day.
  const picked = useMemo(() => (value ? dayjs(value) : null), [value])
  return (
    <DatePicker
      className={styles.calendar ?? ''}
      open
      tabIndex={-1}
      aria-label="Calendar"
      value={picked}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onChange={(next) => {
        onPick(next ? next.format('YYYY-MM-DD') : null)
        onClose()
      }}
    />
  )
}
