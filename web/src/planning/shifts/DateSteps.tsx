import { formatDays, formatFullDay } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { Row } from '../../ui/layout.tsx'
import styles from './shifts.module.css'

interface DateStepsProps {
  schedule: {
    from: string
    to: string
    date: string
    step: (by: 1 | -1) => void
    goTo: (day: string | undefined) => void
  }
  /** Whether there is a date picker. */
  hasPicker?: boolean
}

/** The shown days, with buttons for earlier and later ones. */
export function DateSteps({ schedule: { from, to, date, step, goTo }, hasPicker = true }: DateStepsProps) {
  return (
    <Row gap={1} align="center" wrap className={styles.dates}>
      <Button data-print="no" aria-label="Earlier" onClick={() => step(-1)}>
        ‹
      </Button>
      <Button data-print="no" aria-keyshortcuts="t" onClick={() => goTo(undefined)}>
        Today
      </Button>
      <Button data-print="no" aria-label="Later" onClick={() => step(1)}>
        ›
      </Button>
      {hasPicker && (
        <div className={styles.day} data-print="no">
          <DayPicker aria-label="Day" value={date} onChange={(day) => goTo(day ?? undefined)} />
        </div>
      )}
      <strong className="figures">{from === to ? formatFullDay(from) : formatDays(from, to)}</strong>
    </Row>
  )
}
