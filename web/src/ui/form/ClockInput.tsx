import { formatClock } from '@roadshow/contract/platform/dates'
import { readClock } from '@roadshow/contract/platform/typed-time'
import { TypedInput } from './TypedInput.tsx'

interface ClockInputProps {
  /** `08:00` */
  value?: string
  onChange?: (time: string) => void
  onBlur?: () => void
  id?: string
  /** What it means to leave it empty. */
  placeholder?: string
}

const CLOCK = /^\d{2}:\d{2}$/

/** A time of day as people write it: `8p`, `8:30 pm`, `20:00`. What cannot be read is kept and refused where it is used. */
export const ClockInput = ({ value = '', onChange, ...input }: ClockInputProps) => (
  <TypedInput
    placeholder={formatClock('08:00')}
    {...input}
    shown={CLOCK.test(value) ? formatClock(value) : value}
    read={(typed) => readClock(typed, { isBareHourRead: true })}
    say={(clock) => formatClock(clock)}
    onRead={(clock) => onChange?.(clock)}
    onUnread={(typed) => {
      onChange?.(typed)
      return typed
    }}
    onEmpty={() => onChange?.('')}
  />
)
