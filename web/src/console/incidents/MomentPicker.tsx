import { formatClock, formatDay, formatMoment, formatTimeOnly, localZone } from '@roadshow/contract/platform/dates'
import { readDayTime } from '@roadshow/contract/platform/typed-time'
import type { Reading } from '@roadshow/contract/platform/typed-time'
import { instantAt, localDay } from '@roadshow/contract/planning/shift-time'
import { TypedInput } from '../../ui/form/TypedInput.tsx'

interface MomentPickerProps {
  /** As the API writes an instant: `2026-07-01T15:04:00Z`. */
  value?: string | null
  onChange?: (instant: string | null) => void
  onBlur?: () => void
  id?: string
}

function readMoment(typed: string): Reading<string> {
  const zone = localZone()
  const found = readDayTime(typed, localDay(zone))
  if ('problem' in found) return found
  const at = instantAt(found.value.day, found.value.clock, zone)
  return at === undefined ? { problem: 'Clocks skip this time.' } : { value: new Date(at).toISOString() }
}

const inWords = (instant: string) =>
  `${formatDay(localDay(localZone(), Date.parse(instant)))}, ${formatTimeOnly(instant, localZone())}`

/** A day and time on the clocks of this browser, as people write them. */
export const MomentPicker = ({ value, onChange, ...input }: MomentPickerProps) => (
  <TypedInput
    {...input}
    placeholder={`mm/dd/yyyy ${formatClock('08:00')}`}
    shown={value ? (Number.isNaN(Date.parse(value)) ? value : inWords(value)) : ''}
    read={readMoment}
    say={(instant) => formatMoment(instant, localZone())}
    onRead={(instant) => onChange?.(instant)}
    onUnread={(typed) => {
      onChange?.(typed)
      return typed
    }}
    onEmpty={() => onChange?.(null)}
    isEnterTaken
  />
)
