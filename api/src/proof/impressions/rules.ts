import {
  GAP_MS,
  type ImpressionArea,
  type ImpressionInputs,
  localHour,
  metersBetween,
  type Point,
  type RoadClass,
  roadClasses,
  stayedPut,
  toMiles,
  type TrackPoint,
  truckSides,
} from '@roadshow/contract'
import { credibleFixes, type TimeRange } from '../../live/telemetry/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'

/** Increases when the same positions and inputs would give other impressions. */
export const IMPRESSION_RULES = 2

/** The track of a shift, with what decides how it counts. */
export interface ShiftTrack {
  /** In any order, and some may be repeated. */
  fixes: readonly TrackPoint[]
  /** The hours of the shift, without those in which another shift had the truck. */
  hours: readonly TimeRange[]
  zone: string
  marketUid: string
  truckKind: 'led' | 'printed'
  /** Whether a play was logged for it. An LED truck without one showed nothing. */
  hasPlays: boolean
}

/**
 * How wrong each factor of the estimate may be: its least and its most as shares of what is likely. The class of the road
 * has its own range. docs/impressions.md names the reasons.
 */
export const impressionRanges = {
  classVehicles: { low: 0.5, high: 1.5 },
  countedVehicles: { low: 0.8, high: 1.2 },
  hourShare: { low: 0.5, high: 1.5 },
  visibleShare: { low: 0.8, high: 1.2 },
  occupancy: { high: 1.2 },
}

/** The inputs of a version, with a way to find the counted road at a place. */
export interface CountedMethod {
  inputs: ImpressionInputs
  /** The daily count of the nearest counted road within reach; undefined where there is none. */
  countAt: (place: Point) => number | undefined
}

export interface Impressions {
  low: number
  likely: number
  high: number
  countedMs: number
  parkedMs: number
  unlitMs: number
}

const STEP_MS = 2 * 60_000
// Within this distance a truck stands still, and only its fixes wander.
const STANDING_M = 50
const HOUR_MS = 3_600_000

/**
 * The estimated impressions of a shift; undefined if its track never says where the truck was. The track is cut into steps
 * of two minutes by the clock, so the order, repetition and lateness of positions do not matter.
 */
export function impressionsOf(track: ShiftTrack, method: CountedMethod): Impressions | undefined {
  const steps = track.hours.flatMap((hours) => stepsWithin(track.fixes, hours))
  if (steps.every(({ isSilent }) => isSilent)) return undefined
  const sum: Impressions = { low: 0, likely: 0, high: 0, countedMs: 0, parkedMs: 0, unlitMs: 0 }
  for (const step of steps) addStep(sum, step, track, method)
  const { low, likely, high, ...times } = sum
  return { low: Math.round(low), likely: Math.round(likely), high: Math.round(high), ...times }
}

function addStep(sum: Impressions, step: Step, track: ShiftTrack, method: CountedMethod): void {
  const { inputs } = method
  const heardMs = step.isSilent ? 0 : step.ms
  if (!step.isSilent && step.awayM < STANDING_M) {
    sum.parkedMs += heardMs
    return
  }
  const hour = inputs.hours[localHour(track.zone, step.at)]
  if (!hour || (hour.isNight && !inputs.isLit[track.truckKind])) {
    sum.unlitMs += heardMs
    return
  }
  if (track.truckKind === 'led' && !track.hasPlays) return
  sum.countedMs += heardMs
  const daily = dailyVehicles(step, areaOf(inputs, track.marketUid), method)
  const share = (hour.share * step.ms) / HOUR_MS
  const { hourShare } = impressionRanges
  const views = viewsPerVehicle(inputs)
  sum.low += daily.low * share * hourShare.low * views.low
  sum.likely += daily.likely * share * views.likely
  sum.high += daily.high * share * hourShare.high * views.high
}

type Range = Pick<Impressions, 'low' | 'likely' | 'high'>

/** People who look at a truck from each vehicle of its road, at least one of whom drives it. */
function viewsPerVehicle(inputs: ImpressionInputs): Range {
  const { occupancy } = inputs
  const { visibleShare, occupancy: people } = impressionRanges
  const visible = visibleShareOf(inputs)
  const mostVisible = Math.max(visible, Math.min(1, visible * visibleShare.high))
  return {
    low: visible * visibleShare.low,
    likely: visible * occupancy,
    high: mostVisible * (occupancy * people.high),
  }
}

/** The part of a road's traffic, in both directions, that looks at a truck. Half of it comes from either direction. */
const visibleShareOf = ({ sides }: ImpressionInputs): number =>
  truckSides.reduce((sum, side) => sum + (sides[side].opposite + sides[side].same) / 2, 0)

const areaOf = ({ areas }: ImpressionInputs, marketUid: string): ImpressionArea | undefined =>
  areas.find((area) => area.marketUid === marketUid) ?? areas.find((area) => area.marketUid === null)

/**
 * The daily traffic of a step's road: a count, or that of its guessed class. A slow truck may be in a jam on any busier
 * road, a fast one is at least on the class below. In a silence only the most is known.
 */
function dailyVehicles(step: Step, area: ImpressionArea | undefined, { inputs, countAt }: CountedMethod): Range {
  const { classVehicles, countedVehicles } = impressionRanges
  const byClass = roadClasses.map((road) => area?.dailyVehicles[road] ?? 0)
  if (step.isSilent) return { low: 0, likely: 0, high: Math.max(...byClass) * classVehicles.high }
  const count = countAt(step.middle)
  if (count !== undefined)
    return { low: count * countedVehicles.low, likely: count, high: count * countedVehicles.high }
  const index = roadClasses.indexOf(roadClassOf(speedMph(step), inputs))
  const possible = byClass.slice(Math.max(0, index - 1))
  return {
    low: Math.min(...possible) * classVehicles.low,
    likely: byClass[index] ?? 0,
    high: Math.max(...possible) * classVehicles.high,
  }
}

const roadClassOf = (mph: number, { speeds }: Pick<ImpressionInputs, 'speeds'>): RoadClass => {
  if (mph >= speeds.interstateFromMph) return 'interstate'
  return mph >= speeds.principalArterialFromMph ? 'principalArterial' : 'other'
}

const speedMph = ({ meters, ms }: Step) => (toMiles(meters) / ms) * HOUR_MS

/** Two minutes by the clock, or the part of them that a track covers. */
interface Step {
  /** Its first moment on the track. */
  at: number
  ms: number
  /** Within a silence, in which the way of the truck is not known. */
  isSilent: boolean
  meters: number
  /** The farthest that the truck came from where the step began. */
  awayM: number
  middle: Point
}

/** A piece of the way between two neighboring fixes that lies within one step. */
interface Piece {
  from: number
  to: number
  start: Point
  end: Point
  meters: number
  isSilent: boolean
}

function stepsWithin(fixes: readonly TrackPoint[], { from, to }: TimeRange): Step[] {
  const credible = [...credibleFixes(fixes.filter(({ at }) => at >= from && at < to))]
  const track = credible.filter(({ at }, index) => at !== credible[index - 1]?.at)
  const pieces = track.flatMap((fix, index) => {
    const before = track[index - 1]
    if (!before) return []
    const isSilent = fix.at - before.at > GAP_MS
    return isSilent && stayedPut(before, fix) ? [] : piecesBetween(before, fix, isSilent)
  })
  const keyOf = ({ from, isSilent }: Piece) => `${isSilent} ${Math.floor(from / STEP_MS)}`
  return [...groupBy(pieces, keyOf).values()].flatMap(stepOf)
}

/** The straight way between two fixes, divided at the steps of the clock. */
function piecesBetween(before: TrackPoint, fix: TrackPoint, isSilent: boolean): Piece[] {
  const length = metersBetween(before, fix)
  const placeAt = (at: number) => placeAlong(before, fix, (at - before.at) / (fix.at - before.at))
  const pieces: Piece[] = []
  for (let from = before.at; from < fix.at;) {
    const to = Math.min(fix.at, (Math.floor(from / STEP_MS) + 1) * STEP_MS)
    const meters = (length * (to - from)) / (fix.at - before.at)
    pieces.push({ from, to, start: placeAt(from), end: placeAt(to), meters, isSilent })
    from = to
  }
  return pieces
}

/** The place at a share of the straight way between two others. */
const placeAlong = (start: Point, end: Point, share: number): Point => ({
  latitude: start.latitude + share * (end.latitude - start.latitude),
  longitude: start.longitude + share * (end.longitude - start.longitude),
})

function stepOf(pieces: readonly Piece[]): Step | [] {
  const [first] = pieces
  if (!first) return []
  const middleAt = (first.from + (pieces.at(-1) ?? first).to) / 2
  const middle = pieces.find(({ to }) => to >= middleAt) ?? first
  const share = (middleAt - middle.from) / (middle.to - middle.from)
  return {
    at: first.from,
    ms: pieces.reduce((sum, { from, to }) => sum + to - from, 0),
    isSilent: first.isSilent,
    meters: pieces.reduce((sum, { meters }) => sum + meters, 0),
    awayM: Math.max(...pieces.map(({ end }) => metersBetween(first.start, end))),
    middle: placeAlong(middle.start, middle.end, share),
  }
}
