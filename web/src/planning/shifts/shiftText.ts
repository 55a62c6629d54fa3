import { formatMileCount } from '@roadshow/contract/platform/distance'
import { formatMinutes, formatWeekday, formatClocks, formatFullDay } from '@roadshow/contract/platform/dates'
import { PHONE_OFFLINE_HOURS, startedLateMinutes } from '@roadshow/contract/planning/driver-marks'
import type { DriverMark } from '@roadshow/contract/planning/driver-marks'
import type { DriverShifts, Shift } from '@roadshow/contract/planning/shifts'

type Hours = Pick<Shift, 'start' | 'end'>

/** Whether a shift ends on the day after it began. */
export const endsNextDay = ({ start, end }: Hours): boolean => end <= start

/** `8:00 AM–4:00 PM` */
export const formatShiftHours = ({ start, end }: Hours): string => formatClocks({ start, end })

/** `Wed, Jul 8, 8:00 AM–4:00 PM` */
export const formatShiftTime = ({ date, start, end }: Pick<Shift, 'date' | 'start' | 'end'>): string =>
  `${formatWeekday(date)}, ${formatShiftHours({ start, end })}`

/** The same in a list that reaches over years: with the year, unless it is the present one. */
export const formatListedTime = (shift: Pick<Shift, 'date' | 'start' | 'end'>, today: string): string =>
  shift.date.slice(0, 4) === today.slice(0, 4)
    ? formatShiftTime(shift)
    : `${formatFullDay(shift.date)}, ${formatShiftHours(shift)}`

const dayLabels = new Map<string, string>()
/** `Wed, Jul 8`, cached: the board needs it once per cell. */
export function dayLabel(day: string): string {
  const label = dayLabels.get(day) ?? formatWeekday(day)
  dayLabels.set(day, label)
  return label
}

/** The warning about a driver's short rest before a shift, if it is too short. */
export const restText = ({ shortRestHours }: Pick<Shift, 'shortRestHours'>): string | undefined =>
  shortRestHours === null ? undefined : `Only ${formatMinutes(shortRestHours * 60)} of rest before this shift.`

type DriverSigns = Pick<Shift, 'driverAnswer' | 'declineReason' | 'requestedTruck' | 'driverMarks' | 'startsAt'> &
  Partial<Pick<Shift, 'startedAt'>>

const lateText = ({ startsAt, startedAt = null }: DriverSigns) => {
  const minutes = startedLateMinutes({ startsAt, startedAt })
  return minutes > 0 ? `Started ${formatMinutes(minutes)} late` : 'Started late'
}

/** Each mark in a few words, and in a sentence. */
const markWords: Record<DriverMark, (signs: DriverSigns) => [short: string, text: string]> = {
  declined: ({ declineReason }) => {
    const why = declineReason ? `: ${declineReason.replace(/\.$/, '')}` : ''
    return [`Declined${why}`, `Declined by the driver${why}.`]
  },
  otherTruck: ({ requestedTruck }) => [`Asks for ${requestedTruck}`, `Driver asks for truck ${requestedTruck}.`],
  unanswered: () => ['No answer yet', 'No answer from the driver yet.'],
  notStarted: () => ['Not started', 'Not started on time.'],
  startedLate: (signs) => [lateText(signs), `${lateText(signs)}.`],
  phoneOffline: () => ['Phone offline', `Driver’s phone offline for more than ${PHONE_OFFLINE_HOURS} hours.`],
}

/** What needs a look about the driver of a shift, in words with their marks. */
export const driverMarkTexts = (signs: DriverSigns): { mark: DriverMark; short: string; text: string }[] =>
  signs.driverMarks.map((mark) => {
    const [short, text] = markWords[mark](signs)
    return { mark, short, text }
  })

/** Whether the driver takes the shift as it is planned. */
export const isConfirmed = ({
  status,
  driverAnswer,
  requestedTruck,
}: Pick<Shift, 'status' | 'driverAnswer' | 'requestedTruck'>) =>
  status === 'planned' && driverAnswer === 'confirmed' && requestedTruck === null

export const CONFIRMED_TEXT = 'Confirmed by the driver.'

/** Why a completed shift needs a look: `Completed with 42 miles and no plays`. */
export function withoutPlaysText(meters: number): string {
  return `Completed with ${formatMileCount(meters)} miles and no plays`
}

/** The name of a row of the user schedule: a driver, or for clients, who see no drivers, all of their shifts. */
export const rowName = (driver: DriverShifts['driver']): string => driver?.name ?? 'All trucks'
