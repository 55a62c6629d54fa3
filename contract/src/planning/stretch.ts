import { formatClock, formatDay, formatDays } from '../platform/dates.ts'
import { addDays, instantAt, localDay } from './shift-time.ts'

/** A time out of service as the clocks of its zone show it. */
export interface StretchClocks {
  from: string
  startTime: string
  /** The last day; null until further notice. */
  to: string | null
  /** Null: the whole of the last day. */
  endTime: string | null
  zone: string
}

/** When a stretch starts and ends, in milliseconds since 1970; undefined at times that clocks skip, endless as Infinity. */
export function stretchRange({ from, startTime, to, endTime, zone }: StretchClocks) {
  const end = () => {
    if (to === null) return Number.POSITIVE_INFINITY
    return endTime === null ? instantAt(addDays(to, 1), '00:00', zone) : instantAt(to, endTime, zone)
  }
  return { startsAt: instantAt(from, startTime, zone), endsAt: end() }
}

/** A stretch in words: `from Nov 20, 2026, 8:00 AM until Nov 25, 2026, 6:00 PM`, `Nov 20, 2026 – Nov 22, 2026`. */
export function describeStretch({ from, startTime, to, endTime }: Omit<StretchClocks, 'zone'>): string {
  const since = startTime === '00:00' ? formatDay(from) : `${formatDay(from)}, ${formatClock(startTime)}`
  if (to === null) return `from ${since} until further notice`
  if (startTime === '00:00' && endTime === null) return formatDays(from, to)
  const until = endTime === null ? `the end of ${formatDay(to)}` : `${formatDay(to)}, ${formatClock(endTime)}`
  return `from ${since} until ${until}`
}

interface StretchSpan {
  startsAt: string
  endsAt: string | null
}

/** Whether a stretch reaches into a local day of a zone. */
export const isOnDay = ({ startsAt, endsAt }: StretchSpan, day: string, zone: string): boolean =>
  localDay(zone, Date.parse(startsAt)) <= day && (endsAt === null || localDay(zone, Date.parse(endsAt) - 1) >= day)
