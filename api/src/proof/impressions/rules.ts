import {
  type ImpressionArea,
  type ImpressionInputs,
  localHour,
  metersBetween,
  type Point,
  type RoadClass,
  roadClasses,
  toMiles,
  type TrackPoint,
  truckSides,
} from '@roadshow/contract'
import { credibleFixes, GAP_MS, type TimeRange } from '../../live/telemetry/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'

/** Increases when the same positions and inputs would give other impressions. */
export const IMPRESSION_RULES = 1

/** The track of a shift, with what decides how it counts. */
export interface ShiftTrack {
  /** In any order, and some may be repeated. */
  fixes: readonly TrackPoint[]
  /** The hours of the shift, without those in which another shift had the truck. */
  hours: readonly TimeRange[]
  zone: string
  marketUid: string
  truckKind: 'led' | 'printed'
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
  if (steps.length === 0) return undefined
  const sum: Impressions = { low: 0, likely: 0, high: 0, countedMs: 0, parkedMs: 0, unlitMs: 0 }
  for (const step of steps) addStep(sum, step, track, method)
  const { low, likely, high, ...times } = sum
  return { low: Math.round(low), likely: Math.round(likely), high: Math.round(high), ...times }
}

function addStep(sum: Impressions, step: Step, track: ShiftTrack, method: CountedMethod): void {
  const { inputs } = method
  if (step.awayM < STANDING_M) {
    sum.parkedMs += step.heardMs
    return
  }
  const hour = inputs.hours[localHour(track.zone, step.at)]
  if (!hour || (hour.isNight && !inputs.isLit[track.truckKind])) {
    sum.unlitMs += step.heardMs
    return
  }
  sum.countedMs += step.heardMs
  const seenPerVehicle = (hour.share * step.heardMs * visibleShare(inputs) * inputs.occupancy) / HOUR_MS
  const daily = dailyRange(step, areaOf(inputs, track.marketUid), method)
  sum.low += daily.low * seenPerVehicle
  sum.likely += daily.likely * seenPerVehicle
  sum.high += daily.high * seenPerVehicle
}

/** The part of a road's traffic, in both directions, that looks at a truck. Half of it comes from either direction. */
const visibleShare = ({ sides }: ImpressionInputs): number =>
  truckSides.reduce((sum, side) => sum + (sides[side].opposite + sides[side].same) / 2, 0)

const areaOf = ({ areas }: ImpressionInputs, marketUid: string): ImpressionArea | undefined =>
  areas.find((area) => area.marketUid === marketUid) ?? areas.find((area) => area.marketUid === null)

interface DailyRange {
  low: number
  likely: number
  high: number
}

/** The daily traffic of a step's road: a count, or that of its guessed class with the classes beside it as the range. */
function dailyRange(step: Step, area: ImpressionArea | undefined, { inputs, countAt }: CountedMethod): DailyRange {
  const count = countAt(step.middle)
  if (count !== undefined) return { low: count, likely: count, high: count }
  const index = roadClasses.indexOf(roadClassOf(speedMph(step), inputs))
  const possible = roadClasses.slice(Math.max(0, index - 1), index + 2).map((each) => area?.dailyVehicles[each] ?? 0)
  return {
    low: Math.min(...possible),
    likely: area?.dailyVehicles[roadClasses[index] ?? 'other'] ?? 0,
    high: Math.max(...possible),
  }
}

const roadClassOf = (mph: number, { speeds }: Pick<ImpressionInputs, 'speeds'>): RoadClass => {
  if (mph >= speeds.interstateFromMph) return 'interstate'
  return mph >= speeds.principalArterialFromMph ? 'principalArterial' : 'other'
}

const speedMph = ({ meters, heardMs }: Step) => (toMiles(meters) / heardMs) * HOUR_MS

/** Two minutes by the clock, or the part of them that a track covers. */
interface Step {
  /** Its first moment on the track. */
  at: number
  heardMs: number
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
}

function stepsWithin(fixes: readonly TrackPoint[], { from, to }: TimeRange): Step[] {
  const credible = [...credibleFixes(fixes.filter(({ at }) => at >= from && at < to))]
  const track = credible.filter(({ at }, index) => at !== credible[index - 1]?.at)
  const pieces = track.flatMap((fix, index) => {
    const before = track[index - 1]
    // Over a longer silence the way is not known.
    return before && fix.at - before.at <= GAP_MS ? piecesBetween(before, fix) : []
  })
  return [...groupBy(pieces, (piece) => Math.floor(piece.from / STEP_MS)).values()].flatMap(stepOf)
}

/** The straight way between two fixes, divided at the steps of the clock. */
function piecesBetween(before: TrackPoint, fix: TrackPoint): Piece[] {
  const length = metersBetween(before, fix)
  const placeAt = (at: number) => placeAlong(before, fix, (at - before.at) / (fix.at - before.at))
  const pieces: Piece[] = []
  for (let from = before.at; from < fix.at;) {
    const to = Math.min(fix.at, (Math.floor(from / STEP_MS) + 1) * STEP_MS)
    const meters = (length * (to - from)) / (fix.at - before.at)
    pieces.push({ from, to, start: placeAt(from), end: placeAt(to), meters })
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
    heardMs: pieces.reduce((sum, { from, to }) => sum + to - from, 0),
    meters: pieces.reduce((sum, { meters }) => sum + meters, 0),
    awayM: Math.max(...pieces.map(({ end }) => metersBetween(first.start, end))),
    middle: placeAlong(middle.start, middle.end, share),
  }
}
