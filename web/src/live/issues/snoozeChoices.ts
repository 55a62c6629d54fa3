import { addDays, instantAt, localDay } from '@roadshow/contract/planning/shift-time'

const HOUR = 3_600_000
/** Work begins at this time of day. */
const MORNING = '08:00'

export interface SnoozeChoice {
  label: string
  until: string
}

const isoOf = (ms: number) => new Date(ms).toISOString()

/** The usual ends of a snooze, seen from a moment in the zone of the issue. */
export function snoozeChoices(zone: string, now: number): SnoozeChoice[] {
  const today = localDay(zone, now)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  // No zone changes its clocks in the morning.
  const morning = (days: number) => isoOf(instantAt(addDays(today, days), MORNING, zone) ?? now)
  const daysToMonday = (8 - weekday) % 7 || 7
  return [
    { label: '1 hour', until: isoOf(now + HOUR) },
    { label: '4 hours', until: isoOf(now + 4 * HOUR) },
    { label: 'Tomorrow, 8:00 AM', until: morning(1) },
    // On Sundays that is tomorrow.
    ...(daysToMonday > 1 ? [{ label: 'Monday, 8:00 AM', until: morning(daysToMonday) }] : []),
  ]
}
