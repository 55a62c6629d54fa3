// The words of planned stops. This file has no schemas, so that a page can use it without loading zod.
import { clockAt, formatClock, formatClocks, formatMinutes } from '../platform/dates.ts'
import type { StopWindow } from './stop-time.ts'

/**
 * On time: there within the window. Late: first there after it. Missed: the track shows that the truck was not there. No
 * data: the track does not show it, which is not the same.
 */
export const stopStates = ['upcoming', 'onTime', 'late', 'missed', 'noData'] as const
export type StopState = (typeof stopStates)[number]
export const stopStateLabel: Record<StopState, string> = {
  upcoming: 'Not yet',
  onTime: 'On time',
  late: 'Late',
  missed: 'Missed',
  noData: 'No GPS data',
}

/** `5:00–7:00 PM` */
export const windowText = ({ from, to }: StopWindow): string => formatClocks({ start: from, end: to })

/** `1 h 46 min`; a visit that the track shows at one moment only has none. */
export const dwellText = (minutes: number): string => (minutes < 1 ? 'less than 1 min' : formatMinutes(minutes))

const stateWords: Record<StopState, string> = {
  upcoming: 'not yet',
  onTime: 'on time',
  late: 'late',
  missed: 'missed',
  noData: 'no GPS data',
}

interface ToldVisit extends StopWindow {
  name: string
  state: StopState | null
  arrivedAt: string | null
  leftAt: string | null
  dwellMinutes: number | null
}

/** A stop in words. Its instants are read as times of day: `17:02`. */
function tellVisit(
  { name, state, arrivedAt, leftAt, dwellMinutes, ...window }: ToldVisit,
  clock: (at: string) => string,
) {
  if (arrivedAt === null || dwellMinutes === null) {
    const plan = `${name}, planned ${windowText(window)}`
    return state === null ? plan : `${plan}: ${stateWords[state]}`
  }
  const start = clock(arrivedAt)
  const times = leftAt === null ? `since ${formatClock(start)}` : formatClocks({ start, end: clock(leftAt) })
  return [name, times, dwellText(dwellMinutes), ...(state === 'late' ? ['late'] : [])].join(', ')
}

/** `Stadium, 5:02–6:48 PM, 1 h 46 min`; a stop without a visit says its plan and its state. */
export const visitText = (visit: ToldVisit, zone: string): string => tellVisit(visit, (at) => clockAt(at, zone))

/** The same of a published version, which has local times: `2026-07-01 17:02:10`. */
export const popStopText = (stop: ToldVisit): string => tellVisit(stop, (at) => at.slice(11, 16))
