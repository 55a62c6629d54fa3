import { zoneOn } from '@roadshow/contract/catalog/markets'
import { addDays, daysBetween, shiftRange } from '@roadshow/contract/planning/shift-time'
import { blocksTruck } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { lengthOf, minutesOf, rowAt, boardShiftName, timeOf } from '../boardModel.ts'
import type { BoardIndex, BoardRowModel } from '../boardModel.ts'

/** The truck, day and hours a shift is moved to. */
export interface PlacementTarget {
  truckUid: string
  date: string
  start: string
  end: string
}

/** A shift that is being moved or copied, with the pointer or with the keys. */
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

/** The instants of a shift at a target; where the clocks skip that time, the instants it has now. */
export function instantsAt(index: BoardIndex, shift: BoardShift, { date, start, end }: PlacementTarget) {
  const market = index.markets.get(shift.marketUid)
  const zone = market ? zoneOn(market, date) : 'UTC'
  const { startsAt, endsAt } = shiftRange({ date, start, end, zone })
  return {
    startsAt: startsAt === undefined ? shift.startsAt : new Date(startsAt).toISOString(),
    endsAt: endsAt === undefined ? shift.endsAt : new Date(endsAt).toISOString(),
  }
}

/** A shift and the place where it goes. */
export interface PlacedShift {
  shift: BoardShift
  target: PlacementTarget
}

/** The names of the shifts that placed ones would overlap: those of the truck first, then of the driver. */
export function clashesAt(index: BoardIndex, placed: readonly PlacedShift[], copies: boolean): string[] {
  const leaving = new Set(copies ? [] : placed.map(({ shift }) => shift.uid))
  const found = placed.flatMap(({ shift, target }) => {
    if (!copies && !blocksTruck(shift.status)) return []
    const { startsAt, endsAt } = instantsAt(index, shift, target)
    const from = Date.parse(startsAt)
    const to = Date.parse(endsAt)
    const overlaps = (other: BoardShift) =>
      !leaving.has(other.uid) &&
      blocksTruck(other.status) &&
      Date.parse(other.startsAt) < to &&
      from < Date.parse(other.bookedUntil)
    return [
      ...(index.ofTruck.get(target.truckUid) ?? []).filter(overlaps),
      ...(index.ofDriver.get(shift.driverUid ?? '') ?? []).filter(overlaps),
    ]
  })
  return [...new Set(found)].map((other) => boardShiftName(index, other))
}

const STEP = 15
const DAY_MINUTES = 24 * 60
const toStep = (minutes: number) => Math.round(minutes / STEP) * STEP

/** Keeps the length and changes the start; crossing midnight changes the day. */
function withStart(target: PlacementTarget, minutes: number): PlacementTarget {
  const days = Math.floor(minutes / DAY_MINUTES)
  return {
    ...target,
    date: addDays(target.date, days),
    start: timeOf(minutes),
    end: timeOf(minutes + lengthOf(target)),
  }
}

/** How far several shifts go together, and to which truck. */
export interface PlacementStep {
  days: number
  minutes: number
  /** Undefined: each keeps its truck. */
  truckUid?: string | undefined
}

/** Where a shift is one step away. */
export function stepTarget(shift: PlacementTarget, { days, minutes, truckUid }: PlacementStep): PlacementTarget {
  const from = targetOf({ ...shift, date: addDays(shift.date, days), truckUid: truckUid ?? shift.truckUid })
  return withStart(from, minutesOf(from.start) + minutes)
}

/** The places of shifts that go along with one: as many days and hours away, and to its truck if they share theirs. */
export function placeTogether({ shift, target }: Placement, group: readonly BoardShift[]): PlacedShift[] {
  const isResized = lengthOf(shift) !== lengthOf(target)
  if (isResized || !group.some(({ uid }) => uid === shift.uid)) return [{ shift, target }]
  const sharesTruck = group.every(({ truckUid }) => truckUid === shift.truckUid)
  const step = {
    days: daysBetween(shift.date, target.date),
    minutes: minutesOf(target.start) - minutesOf(shift.start),
    truckUid: sharesTruck ? target.truckUid : undefined,
  }
  return [shift, ...group.filter(({ uid }) => uid !== shift.uid)].map((each) => ({
    shift: each,
    target: each.uid === shift.uid && sharesTruck ? target : stepTarget(each, step),
  }))
}

/** Changes the end: at least one step after the start, and less than a day. */
function withEnd(target: PlacementTarget, minutes: number): PlacementTarget {
  const length = Math.min(Math.max(STEP, minutes - minutesOf(target.start)), DAY_MINUTES - STEP)
  return { ...target, end: timeOf(minutesOf(target.start) + length) }
}

/** Changes the start and keeps the end. */
function withStartOnly(target: PlacementTarget, minutes: number): PlacementTarget {
  const end = minutesOf(target.start) + lengthOf(target)
  const start = Math.max(0, Math.min(minutes, end - STEP))
  return end - start >= DAY_MINUTES ? target : { ...target, start: timeOf(start) }
}

/** The part of a bar that is dragged: all of it, or one of its ends. */
export type Grip = 'whole' | 'start' | 'end'

/** The rows and days of the board, by which positions become targets. */
export interface PlacementFrame {
  rows: readonly BoardRowModel[]
  days: readonly string[]
  byHours: boolean
}

interface DragPoint {
  grip: Grip
  /** The pointer in the canvas: pixels from its top, and the share of the columns from 0 to 1. */
  y: number
  across: number
  /** The share of the columns where the drag started. */
  grabbedAt: number
}

/** The target of a shift that is dragged from where it is now. */
export function dragTarget(
  shift: BoardShift,
  { rows, days, byHours }: PlacementFrame,
  { grip, y, across, grabbedAt }: DragPoint,
): PlacementTarget {
  const from = targetOf(shift)
  const row = rows[rowAt(rows, y)]
  const truckUid = (grip === 'whole' && row?.truck?.uid) || from.truckUid
  if (!byHours) {
    const column = Math.min(days.length - 1, Math.max(0, Math.floor(across * days.length)))
    return { ...from, truckUid, date: days[column] ?? from.date }
  }
  const by = toStep((across - grabbedAt) * DAY_MINUTES)
  const start = minutesOf(from.start)
  if (grip === 'end') return withEnd(from, start + lengthOf(from) + by)
  if (grip === 'start') return withStartOnly(from, start + by)
  return withStart({ ...from, truckUid }, start + by)
}

/** The target one arrow key further. */
export function nudgeTarget(
  target: PlacementTarget,
  key: string,
  shift: boolean,
  { rows, days, byHours }: PlacementFrame,
): PlacementTarget {
  const trucks = rows.flatMap(({ truck }) => truck?.uid ?? [])
  const at = trucks.indexOf(target.truckUid)
  const to = (index: number) => ({ ...target, truckUid: trucks[index] ?? target.truckUid })
  const way = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1
  if (key === 'ArrowUp' || key === 'ArrowDown') return to(Math.min(trucks.length - 1, Math.max(0, at + way)))
  if (byHours && shift) return withEnd(target, minutesOf(target.start) + lengthOf(target) + way * STEP)
  if (byHours) return withStart(target, minutesOf(target.start) + way * STEP)
  const column = days.indexOf(target.date) + way
  return { ...target, date: days[Math.min(days.length - 1, Math.max(0, column))] ?? target.date }
}
