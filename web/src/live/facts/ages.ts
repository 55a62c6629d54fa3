import { DAY_MS } from '@roadshow/contract/platform/durations'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The age of an instant: `40 s`, `12 min`, `3 h 5 min`, `2 days`. */
export function ageText(instant: string, now: number): string {
  // The clock of this computer may be behind the server's.
  const age = Math.max(0, now - Date.parse(instant))
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  if (age < DAY_MS) return `${Math.floor(age / HOUR)} h ${Math.floor((age % HOUR) / MINUTE)} min`
  const days = Math.floor(age / DAY_MS)
  return days === 1 ? '1 day' : `${days} days`
}

export const agoText = (instant: string | null, now: number): string =>
  instant === null ? 'no data yet' : `${ageText(instant, now)} ago`
