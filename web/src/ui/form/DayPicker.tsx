import { DatePicker } from 'antd'
import styles from './DayPicker.module.css'
import { usePicked } from './usePicked.ts'

export interface DayPickerProps {
  /** As the API writes a day: `2026-07-01`. */
  value?: string | null
  onChange?: (day: string | null) => void
  onBlur?: () => void
  id?: string
  placeholder?: string
  'aria-label'?: string
}

const FORMAT = 'YYYY-MM-DD'

/** A day, typed or picked from a calendar; the same day in every zone. */
export const DayPicker = ({ value, onChange, placeholder = FORMAT, ...input }: DayPickerProps) => (
  <DatePicker
    {...input}
    className={styles.day ?? ''}
    format={FORMAT}
    placeholder={placeholder}
    value={usePicked(value)}
    onChange={(day) => onChange?.(day ? day.format(FORMAT) : null)}
    // Enter takes the day that was typed; it does not save the form as well.
    onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
  />
)
