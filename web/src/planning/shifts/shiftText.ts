import { formatClock, formatMinutes } from '@roadshow/contract/platform/dates'
import { toMiles } from '@roadshow/contract/platform/geo'
import type { DriverShifts, Shift } from '@roadshow/contract/planning/shifts'
import { formatWeekday } from '../../ui/time.ts'

type Hours = Pick<Shift, 'start' | 'end'>

/** Whether a shift ends on the day after it began. */
export const endsNextDay = ({ start, end }: Hours): boolean => end <= start

/** `8:00 AM–4:00 PM` */
export const formatShiftHours = ({ start, end }: Hours): string => `${formatClock(start)}–${formatClock(end)}`

/** `Wed, Jul 8, 8:00 AM–4:00 PM` */
export const formatShiftTime = ({ date, start, end }: Pick<Shift, 'date' | 'start' | 'end'>): string =>
  `${formatWeekday(date)}, ${formatShiftHours({ start, end })}`

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

/** What the driver said about a shift on the phone, in a sentence; undefined while a planned shift has no news. */
export function driverSignText(
  signs: Pick<Shift, 'driverAnswer' | 'declineReason' | 'requestedTruck'>,
): string | undefined {
  if (signs.requestedTruck !== null) return `Driver asks for truck ${signs.requestedTruck}.`
  if (signs.driverAnswer === 'confirmed') return 'Confirmed by the driver.'
  if (signs.driverAnswer !== 'declined') return undefined
  return signs.declineReason ? `Declined by the driver: ${signs.declineReason}.` : 'Declined by the driver.'
}

/** Why a completed shift needs a look: `Completed with 42 miles and no plays`. */
export function withoutPlaysText(metres: number): string {
  const miles = toMiles(metres)
  const text = miles.toLocaleString('en-US', { maximumFractionDigits: miles < 10 ? 1 : 0 })
  return `Completed with ${text} ${text === '1' ? 'mile' : 'miles'} and no plays`
}

/** The name of a row of the user schedule: a driver, or for clients, who see no drivers, all of their shifts. */
export const rowName = (driver: DriverShifts['driver']): string => driver?.name ?? 'All trucks'
