import { formatDay, formatFullDay, formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { readDay } from '@roadshow/contract/platform/typed-time'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { Button } from 'antd'
import { use, useState } from 'react'
import { lazyOverlay } from '../lazyPart.tsx'
import styles from './DayPicker.module.css'
import { InFieldContext, TypedInput } from './TypedInput.tsx'

const DayCalendar = lazyOverlay(() => import('./DayCalendar.tsx'))

export interface DayPickerProps {
  /** As the API writes a day: `2026-07-01`. */
  value?: string | null
  onChange?: (day: string | null) => void
  onBlur?: () => void
  id?: string
  placeholder?: string
  'aria-label'?: string
  /** A draft that is checked before it is used: what cannot be read leaves it without a day. */
  isDraft?: boolean
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A day, typed as people write it or picked from a calendar; the same day in every zone. */
export function DayPicker({ value, onChange, placeholder = 'mm/dd/yyyy', isDraft = false, ...input }: DayPickerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isInField = use(InFieldContext)
  const day = value && DAY.test(value) ? value : null
  const take = (next: string | null) => {
    if (next !== (value ?? null)) onChange?.(next)
  }
  const takeUnread = (typed: string) => {
    take(isDraft ? null : typed)
    return isDraft ? '' : typed
  }
  return (
    <span className={styles.day}>
      <TypedInput
        {...input}
        placeholder={placeholder}
        shown={day ? formatDay(day) : (value ?? '')}
        read={(typed) => readDay(typed, localDay(localZone()))}
        say={formatFullDay}
        onRead={take}
        onUnread={isDraft || isInField ? takeUnread : undefined}
        onEmpty={() => take(null)}
        isEnterTaken
        suffix={
          <>
            {day && <span className={styles.weekday}>{formatWeekday(day).slice(0, 3)}</span>}
            <Button
              type="text"
              size="small"
              className={styles.button ?? ''}
              aria-label="Calendar"
              aria-expanded={isOpen}
              tabIndex={-1}
              icon={<CalendarIcon />}
              onClick={() => setIsOpen(!isOpen)}
            />
          </>
        }
      />
      {isOpen && <DayCalendar value={day} onPick={take} onClose={() => setIsOpen(false)} />}
    </span>
  )
}

const CalendarIcon = () => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor">
    <rect x="2" y="3.5" width="12" height="10.5" rx="1.5" />
    <path d="M2 7h12M5 1.5v3.5M11 1.5v3.5" />
  </svg>
)
