import { TIMESTAMP_FORMAT } from '@roadshow/contract/platform/constants'
import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(timezone)

/** The time zone of the browser, such as America/Chicago. A screen names its zone once. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** An instant as `YYYY-MM-DD HH:mm:ss` on the clocks of a zone, where the specification asks for this format. */
export const timestamp = (instant: string, zone: string = localZone()): string =>
  dayjs(instant).tz(zone).format(TIMESTAMP_FORMAT)

/** A day of the calendar (`2026-11-16`) as `Mon, Nov 16`. */
export const formatWeekday = (day: string): string => dayjs(day).format('ddd, MMM D')

/** The short name of a zone at an instant: `CST`, and `CDT` in summer. */
export const zoneName = (zone: string, instant: string | Date = new Date()): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone

/** An instant as `8:00 PM CST` on the clocks of a zone. */
export const formatTime = (instant: string, zone: string = localZone()): string =>
  `${dayjs(instant).tz(zone).format('h:mm A')} ${zoneName(zone, instant)}`

/** An instant as `Mon, Nov 16, 8:00 PM CST` on the clocks of a zone. */
export const formatDayTime = (instant: string, zone: string = localZone()): string =>
  `${dayjs(instant).tz(zone).format('ddd, MMM D')}, ${formatTime(instant, zone)}`

/** An instant as `Nov 16, 2026, 8:00 PM CST` on the clocks of a zone. */
export const formatDateTime = (instant: string, zone: string = localZone()): string =>
  `${dayjs(instant).tz(zone).format('MMM D, YYYY')}, ${formatTime(instant, zone)}`
