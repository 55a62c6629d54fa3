import { addDays, shiftRange } from '@roadshow/contract/planning/shift-time'
import { blocksTruck } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { lengthOf, minutesOf, rowAt, boardShiftName, timeOf } from './boardModel.ts'
import type { BoardIndex, BoardRowModel } from './boardModel.ts'

/** Where a shift is to stand. */
export interface PlacementTarget {
  truckUid: string
  date: string
  start: string
  end: string
}

/** A shift on its way to another place, by the pointer or by the keys. */
export interface Placement {
  shift: BoardShift
  copies: boolean
  by: 'pointer' | 'keys'
  target: PlacementTarget
}

export const targetOf = ({ truckUid, date, start, end }: PlacementTarget): PlacementTarget => ({
  truckUid,
  date,
  start,
  end,
})

export const isSameTarget = (one: PlacementTarget, other: PlacementTarget) =>
  one.truckUid === other.truckUid && one.date === other.date && one.start === other.start && one.end === other.end

/** The hours that a shift would take there: its instants, or those it has now where clocks skip a time. */
export function instantsAt(index: BoardIndex, shift: BoardShift, { date, start, end }: PlacementTarget) {
  const zone = index.markets.get(shift.marketUid)?.zone ?? 'UTC'
  const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
  return {
    startsAt: startsAt === undefined ? shift.startsAt : new Date(startsAt).toISOString(),
    endsAt: endsAt === undefined ? shift.endsAt : new Date(endsAt).toISOString(),
  }
}

/** What on the board is in the way of a shift there, by name: shifts of the truck first, then of the driver. */
export function clashesAt(index: BoardIndex, { shift, copies, target }: Omit<Placement, 'by'>): string[] {
  if (!copies && !blocksTruck(shift.status)) return []
  const { startsAt, endsAt } = instantsAt(index, shift, target)
  const from = Date.parse(startsAt)
  const to = Date.parse(endsAt)
  const isInTheWay = (other: BoardShift) =>
    (copies || other.uid !== shift.uid) &&
    blocksTruck(other.status) &&
    Date.parse(other.startsAt) < to &&
    from < Date.parse(other.endsAt)
  const found = [
    ...(index.ofTruck.get(target.truckUid) ?? []).filter(isInTheWay),
    ...(index.ofDriver.get(shift.driverUid) ?? []).filter(isInTheWay),
  ]
  return [...new Set(found)].map((other) => boardShiftName(index, other))
}

const STEP = 15
const DAY_MINUTES = 24 * 60
const toStep = (minutes: number) => Math.round(minutes / STEP) * STEP

/** The same length from another minute of the day; before midnight or after it, it is on another day. */
function startingAt(target: PlacementTarget, minutes: number): PlacementTarget {
  const days = Math.floor(minutes / DAY_MINUTES)
  return {
    ...target,
    date: addDays(target.date, days),
    start: timeOf(minutes),
    end: timeOf(minutes + lengthOf(target)),
  }
}

/** Another end, at least a step after the start and less than a day. */
function endingAt(target: PlacementTarget, minutes: number): PlacementTarget {
  const length = Math.min(Math.max(STEP, minutes - minutesOf(target.start)), DAY_MINUTES - STEP)
  return { ...target, end: timeOf(minutesOf(target.start) + length) }
}

/** Another start under the same end. */
function beginningAt(target: PlacementTarget, minutes: number): PlacementTarget {
  const end = minutesOf(target.start) + lengthOf(target)
  const start = Math.max(0, Math.min(minutes, end - STEP))
  return end - start >= DAY_MINUTES ? target : { ...target, start: timeOf(start) }
}

/** What a drag does: moves the whole shift, or one of its ends. */
export type Grip = 'whole' | 'start' | 'end'

interface Ground {
  rows: readonly BoardRowModel[]
  days: readonly string[]
  byHours: boolean
}

interface Pull {
  grip: Grip
  /** Where the pointer is in the canvas: down from its top, and across the columns from 0 to 1. */
  y: number
  across: number
  /** Where across the columns the pointer took hold. */
  took: number
}

/** Where a shift goes that is pulled from where it is now. */
export function dragTarget(
  shift: BoardShift,
  { rows, days, byHours }: Ground,
  { grip, y, across, took }: Pull,
): PlacementTarget {
  const from = targetOf(shift)
  const row = rows[rowAt(rows, y)]
  const truckUid = (grip === 'whole' && row?.truck?.uid) || from.truckUid
  if (!byHours) {
    const column = Math.min(days.length - 1, Math.max(0, Math.floor(across * days.length)))
    return { ...from, truckUid, date: days[column] ?? from.date }
  }
  const by = toStep((across - took) * DAY_MINUTES)
  const start = minutesOf(from.start)
  if (grip === 'end') return endingAt(from, start + lengthOf(from) + by)
  if (grip === 'start') return beginningAt(from, start + by)
  return startingAt({ ...from, truckUid }, start + by)
}

/** Where the arrow keys take a shift that is being placed. */
export function nudgeTarget(
  target: PlacementTarget,
  key: string,
  shift: boolean,
  { rows, days, byHours }: Ground,
): PlacementTarget {
  const trucks = rows.flatMap(({ truck }) => truck?.uid ?? [])
  const at = trucks.indexOf(target.truckUid)
  const to = (index: number) => ({ ...target, truckUid: trucks[index] ?? target.truckUid })
  const way = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1
  if (key === 'ArrowUp' || key === 'ArrowDown') return to(Math.min(trucks.length - 1, Math.max(0, at + way)))
  if (byHours && shift) return endingAt(target, minutesOf(target.start) + lengthOf(target) + way * STEP)
  if (byHours) return startingAt(target, minutesOf(target.start) + way * STEP)
  const column = days.indexOf(target.date) + way
  return { ...target, date: days[Math.min(days.length - 1, Math.max(0, column))] ?? target.date }
}
