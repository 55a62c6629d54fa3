import { DatePicker } from 'antd'
import { usePicked } from '../../ui/form/usePicked.ts'

interface MomentPickerProps {
  /** As the API writes an instant: `2026-07-01T15:04:00Z`. */
  value?: string | null
  onChange?: (instant: string | null) => void
  onBlur?: () => void
  id?: string
}

/** A day and time on the clocks of this browser, typed or picked. */
export const MomentPicker = ({ value, onChange, ...input }: MomentPickerProps) => (
  <DatePicker
    {...input}
    showTime={{ format: 'HH:mm' }}
    format="YYYY-MM-DD HH:mm"
    placeholder="YYYY-MM-DD HH:mm"
    needConfirm={false}
    style={{ width: '100%' }}
    value={usePicked(value)}
    onChange={(moment) => onChange?.(moment ? moment.second(0).millisecond(0).toISOString() : null)}
    // Enter takes the time that was typed; it does not save the form as well.
    onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
  />
)
