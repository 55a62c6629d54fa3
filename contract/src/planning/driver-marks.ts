// What about the driver of a shift needs a look. This file has no schemas, so that a page can use it without loading zod.

export const driverMarks = [
  'declined',
  'otherTruck',
  'unanswered',
  'notStarted',
  'startedLate',
  'phoneOffline',
] as const
export type DriverMark = (typeof driverMarks)[number]

export const driverMarkLabel: Record<DriverMark, string> = {
  declined: 'Declined',
  otherTruck: 'Asks for another truck',
  unanswered: 'No answer yet',
  notStarted: 'Not started on time',
  startedLate: 'Started late',
  phoneOffline: 'Phone offline',
}

/** How a shift started, once it was due or has started; `noData` is a start that was not reported. */
export const startOutcomes = ['onTime', 'late', 'noShow', 'noData'] as const
export type StartOutcome = (typeof startOutcomes)[number]
export const startOutcomeLabel: Record<StartOutcome, string> = {
  onTime: 'On time',
  late: 'Late',
  noShow: 'No-show',
  noData: 'No data',
}

/** A start is late when it is more than this long after the planned one. */
export const LATE_MINUTES = 10
/** Drivers are expected to answer once their shift begins within this time. */
export const ANSWER_HOURS = 48
/**
 * A phone is in touch only while the app is open, and drivers do not hold it while they drive. Two hours are longer than
 * the way between two photos.
 */
export const PHONE_OFFLINE_HOURS = 2

/** The minutes by which a shift started late; 0 if it started in time or not at all. */
export function startedLateMinutes({ startsAt, startedAt }: { startsAt: string; startedAt: string | null }): number {
  if (startedAt === null) return 0
  const minutes = (Date.parse(startedAt) - Date.parse(startsAt)) / 60_000
  return minutes > LATE_MINUTES ? Math.floor(minutes) : 0
}
