import { TIMESTAMP_FORMAT } from '@roadshow/contract/platform/constants'
import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(timezone)

/** The zone of the person who looks, such as America/Chicago. A screen names its zone once. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** An instant as `YYYY-MM-DD HH:mm:ss` on the clocks of a zone. */
export const timestamp = (instant: string, zone: string = localZone()): string =>
  dayjs(instant).tz(zone).format(TIMESTAMP_FORMAT)
