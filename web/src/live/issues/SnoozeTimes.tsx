import { instantAt } from '@roadshow/contract/planning/shift-time'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { ClockInput } from '../../ui/form/ClockInput.tsx'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { Stack } from '../../ui/layout.tsx'
import { snoozeChoices } from './snoozeChoices.ts'
import styles from './issues.module.css'

interface SnoozeTimesProps {
  zone: string
  /** The form gives these. */
  value?: string | undefined
  onChange?: (until: string | undefined) => void
}

/** The end of a snooze: one of the usual ones, or a day and a time. */
export function SnoozeTimes({ zone, value, onChange }: SnoozeTimesProps) {
  const [choices] = useState(() => snoozeChoices(zone, Date.now()))
  const [day, setDay] = useState('')
  const [clock, setClock] = useState('08:00')
  const [dayId, clockId] = [useId(), useId()]
  const type = (nextDay: string, nextClock: string) => {
    setDay(nextDay)
    setClock(nextClock)
    const at = nextDay && /^\d{2}:\d{2}$/.test(nextClock) ? instantAt(nextDay, nextClock, zone) : undefined
    onChange?.(at === undefined || Number.isNaN(at) ? undefined : new Date(at).toISOString())
  }
  return (
    <Stack gap={2}>
      <fieldset className={styles.times}>
        <legend>Until</legend>
        {choices.map(({ label, until }) => (
          <Button
            key={label}
            type={value === until ? 'primary' : 'default'}
            aria-pressed={value === until}
            onClick={() => {
              setDay('')
              onChange?.(until)
            }}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <div className={styles.other}>
        <label htmlFor={dayId}>Or on</label>
        <label htmlFor={clockId}>At</label>
        <DayPicker isDraft id={dayId} value={day} onChange={(next) => type(next ?? '', clock)} />
        <ClockInput id={clockId} value={clock} onChange={(next) => type(day, next)} />
      </div>
    </Stack>
  )
}
