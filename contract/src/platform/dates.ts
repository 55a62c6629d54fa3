// Days and times in words. This file has no schemas, so that a page can use it without loading zod.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A calendar day as people read it: `2026-11-16` is `Nov 16, 2026`. */
export function formatDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${MONTHS[(month ?? 1) - 1]} ${date}, ${year}`
}

/** The days from one to another: `Nov 16, 2026 – Nov 22, 2026`, or one day alone. */
export const formatDays = (from: string, to: string): string =>
  from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`

/** A time of day as people read it: `20:00` is `8:00 PM`. */
export function formatClock(clock: string): string {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** A duration as people read it: `450` minutes are `7 h 30 min`. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes)
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  if (rest === 0) return `${hours} h`
  return hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
}

const moments = new Map<string, Intl.DateTimeFormat>()

/** An instant in a zone as people read it: `Mon, Nov 16, 6:00 AM CST`. */
export function formatMoment(at: string | number, zone: string): string {
  const known = moments.get(zone)
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    })
  if (!known) moments.set(zone, format)
  // Some versions of Intl separate the time from AM and PM by a narrow space.
  return format.format(new Date(at)).replaceAll('\u202f', ' ')
}
