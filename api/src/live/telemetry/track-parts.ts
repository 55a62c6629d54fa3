import { DAY_MS, type TrackPoint } from '@roadshow/contract'
import {
  addDistance,
  advance,
  LONGEST_GAP_MS,
  NO_TOTALS,
  type TrackState,
  type TrackStep,
  type TrackTotals,
} from './miles.ts'
import { type TimeRange } from './time-ranges.ts'

/** Hours in which a shift holds a truck. */
export interface HeldHours extends TimeRange {
  uid: string
}

/** A part of a truck's time: hours of a shift, or at most an hour (UTC) outside of any shift. */
export interface TrackPart extends TimeRange, TrackTotals {
  shift: string | null
}

/** The present drive outside of any shift. */
interface OffShiftDrive {
  since: number
  /** When it last added distance. */
  until: number
  meters: number
}

/** The continuous track of a truck, and its present drive outside of shifts. */
export interface TruckState extends TrackState {
  drive: OffShiftDrive | null
}

const HOUR_MS = 60 * 60_000
// A truck that stands longer than this has ended its drive.
const STOP_MS = 10 * 60_000

/** The time to which the fixes of a day (UTC) add distance: the step to its first fix begins at most a gap earlier. */
export const timesOfDay = (day: number): TimeRange => ({ from: day - LONGEST_GAP_MS, to: day + DAY_MS })

/** The hours of holds within a range, in their order. */
export const holdsWithin = ({ from, to }: TimeRange, holds: readonly HeldHours[]): HeldHours[] =>
  holds
    .filter((held) => held.from < to && held.to > from)
    .map(({ uid, ...held }) => ({ uid, from: Math.max(held.from, from), to: Math.min(held.to, to) }))
    .toSorted((one, other) => one.from - other.from)

/**
 * The parts of a range, without a hole: the hours of holds, and the hours between them. Only parts near some
 * time are made, whole: an ordinary page needs one or two of a day.
 */
export function partsOf(range: TimeRange, holds: readonly HeldHours[], near: TimeRange = range): TrackPart[] {
  const parts: TrackPart[] = []
  let at = Math.max(range.from, Math.floor(near.from / HOUR_MS) * HOUR_MS)
  const end = Math.min(range.to, near.to)
  const addPart = (from: number, to: number, shift: string | null) => {
    parts.push({ from, to, shift, meters: 0, estimatedMeters: 0, heardMs: 0, fixes: 0 })
    at = to
  }
  const addHoursUntil = (edge: number) => {
    while (at < Math.min(edge, end)) addPart(at, Math.min(edge, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS), null)
  }
  for (const { uid, from, to } of holds) {
    if (to <= near.from) at = Math.max(at, to)
    else if (from < end) {
      addHoursUntil(from)
      addPart(from, to, uid)
    }
  }
  addHoursUntil(range.to)
  return parts
}

/** Moves a truck on by fixes in their order, and divides what they add among the parts of its time, both in place. */
export function addFixes(state: TruckState, parts: readonly TrackPart[], fixes: readonly TrackPoint[]): void {
  let index = 0
  for (const fix of fixes) {
    const step = advance(state, fix)
    if (!step) continue
    while (index < parts.length - 1 && (parts[index] as TrackPart).to <= step.from) index++
    addStep(state, parts, index, step)
  }
}

/** Divides a step by time among the parts that it crosses; the last one gets the rest, so that nothing is lost. */
function addStep(state: TruckState, parts: readonly TrackPart[], first: number, step: TrackStep): void {
  const { from, to } = step
  if (state.drive && to - state.drive.until > STOP_MS) state.drive = null
  const only = parts[first] as TrackPart
  // Nearly every step lies within one part.
  if (to < only.to) return addWholeStep(state, only, step)
  let left = step.meters
  for (let index = first; index < parts.length; index++) {
    const part = parts[index] as TrackPart
    const [start, end] = [Math.max(from, part.from), Math.min(to, part.to)]
    const isLast = to <= part.to
    if (end > start) {
      const meters = isLast ? left : (step.meters * (end - start)) / (to - from)
      left -= meters
      const share = { from: start, to: end, meters, isGap: step.isGap }
      addDistance(part, share)
      continueDrive(state, part, share)
    }
    if (to < part.to) {
      part.fixes++
      return
    }
  }
}

function addWholeStep(state: TruckState, part: TrackPart, step: TrackStep): void {
  part.fixes++
  if (step.to === step.from) return
  addDistance(part, step)
  continueDrive(state, part, step)
}

function continueDrive(state: TruckState, { shift }: TrackPart, { from, to, meters }: TrackStep): void {
  if (shift !== null) state.drive = null
  else if (meters > 0) {
    const { since, meters: before } = state.drive ?? { since: from, meters: 0 }
    state.drive = { since, until: to, meters: before + meters }
  }
}

/** Whether a part has anything to tell. */
export const hasData = ({ fixes, meters, heardMs }: TrackTotals): boolean => fixes > 0 || meters > 0 || heardMs > 0

/** What several parts amount to. */
export function sumTotals(parts: readonly TrackTotals[]): TrackTotals {
  const sum = { ...NO_TOTALS }
  for (const part of parts) {
    sum.meters += part.meters
    sum.estimatedMeters += part.estimatedMeters
    sum.heardMs += part.heardMs
    sum.fixes += part.fixes
  }
  return sum
}
