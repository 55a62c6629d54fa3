// Making a format is slow, and a file has the same few zones in every row. Swedish dates are `2026-07-01 20:00:00`.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(zone, made)
  return made
}

/** An instant on the clocks of a zone: `2026-07-01 20:00:00`; empty without an instant. */
export const formatLocalTime = (instant: string | number | Date | null, zone: string): string =>
  instant === null ? '' : formatOf(zone).format(new Date(instant))

/** The day in a zone at an instant. */
export const localDayOf = (now: Date, zone: string): string => formatLocalTime(now, zone).slice(0, 10)

/** Whether a text names a time zone, rather than says "the zone of each row". */
export function isZone(text: string): boolean {
  try {
    return formatOf(text) !== undefined
  } catch {
    return false
  }
}
