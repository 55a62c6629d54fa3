import { addDays, instantAt } from '@roadshow/contract/planning/shift-time'
import { formatTimeOnly, formatTimes } from '@roadshow/contract/platform/dates'
import { readClock } from '@roadshow/contract/platform/typed-time'
import type { Reading } from '@roadshow/contract/platform/typed-time'
import { speedText } from '../../live/fleet/truckState.tsx'
import { positionAt } from './moments.ts'
import type { ReplayModel } from './replayModel.ts'

/** What a truck does at a moment: `23 mph`, `Parked`, `No GPS data since 5:10 PM`. */
export function motionText({ fixes, times, replay: { zone } }: ReplayModel, at: number): string {
  const position = positionAt(fixes, times, at)
  if (!position) return fixes.length === 0 ? 'No GPS data from this truck' : 'No GPS data yet'
  if (position.kind === 'lost') return `No GPS data since ${formatTimeOnly(position.heardAt, zone)}`
  if (position.kind === 'stood' || position.speedKmh === 0) return 'Parked'
  return position.speedKmh === null ? 'Speed not reported' : speedText(position.speedKmh)
}

/** Its place in degrees, and which source gave it unless that is MyGeotab; empty where it is unknown. */
export const placeText = ({ fixes, times, replay: { sources } }: ReplayModel, at: number): string => {
  const position = positionAt(fixes, times, at)
  if (!position) return ''
  const source = sources.find(({ from, to }) => at >= from && at < to)
  const place = `${position.latitude.toFixed(4)}, ${position.longitude.toFixed(4)}`
  return source ? `${place}, by ${source.name}` : place
}

/** The shift that has the truck at a moment. */
export const programText = ({ replay: { shifts } }: ReplayModel, at: number): string => {
  const shift = shifts.find(({ from, to }) => at >= from && at < to)
  return shift ? `${shift.program.name}, ${shift.market}` : 'No shift'
}

/** The moment that a typed time names: of the day, or of the morning after for a night shift. */
export function readMoment({ day, zone, from, to }: ReplayModel['replay'], typed: string): Reading<number> {
  const clock = readClock(typed, { isBareHourRead: true })
  if ('problem' in clock) return clock
  const moments = [0, 1, -1].map((days) => instantAt(addDays(day, days), clock.value, zone))
  const value = moments.find((moment) => moment !== undefined && moment >= from && moment <= to)
  return value === undefined ? { problem: `Not within ${formatTimes(from, to, zone)}.` } : { value }
}
