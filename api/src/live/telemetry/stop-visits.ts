import { GAP_MS, type Point, stayedPut, type TrackPoint } from '@roadshow/contract'
import { credibleFixes } from './approaches.ts'
import type { TimeRange } from './time-ranges.ts'

/** Increases when the same positions would give other visits. */
export const STOP_VISITS_VERSION = 1

/** A place with a radius, and the window in which the truck should be there, in milliseconds since 1970. */
export interface StopZone extends Point, TimeRange {
  radiusM: number
}

/** What a track says about a planned stop. Times in milliseconds since 1970. */
export interface StopTrack {
  /** When the truck came, and when it was there last; null without a visit. */
  arrivedAt: number | null
  leftAt: number | null
  /** Whether the newest fix is of the visit: the truck may still be there. */
  isThere: boolean
  dwellMs: number
  /** The part of it within the window. */
  windowMs: number
  /** Whether the truck came only after the window. */
  isLate: boolean
  /** Without a visit: whether the track shows that there was none. */
  isKnown: boolean
}

// A truck that leaves for a shorter time, or is not heard of, is on the same visit.
const SAME_VISIT_MS = 10 * 60_000
// 60 miles an hour in a straight line: what a truck can do in a city while it is not heard of.
const REACH_PER_MS = 27 / 1000

/**
 * What the track of a shift says about each of its planned stops. The order of the fixes does not matter, nor whether some
 * come twice. The hours are those of the shift: what the truck does outside of them is not looked at.
 */
export function stopTracks(
  fixes: readonly TrackPoint[],
  zones: readonly StopZone[],
  hours: readonly TimeRange[],
): StopTrack[] {
  const own = fixes.filter(({ at }) => hours.some(({ from, to }) => at >= from && at < to))
  const track = [...credibleFixes(own)]
  return zones.map((zone) => stopTrack(track, zone, hours))
}

function stopTrack(track: readonly TrackPoint[], zone: StopZone, hours: readonly TimeRange[]): StopTrack {
  const visits = visitsOf(spansInside(track, zone))
  const inWindow = visits.filter((spans) => spans.some(({ from, to }) => from <= zone.to && to >= zone.from))
  const late = visits.find(([first]) => first.from > zone.to)
  const counted = inWindow.length > 0 ? inWindow.flat() : (late ?? [])
  const [first, last] = [counted[0], counted.at(-1)]
  if (!first || !last) {
    const isKnown = isWindowKnown(track, zone, hours)
    return { arrivedAt: null, leftAt: null, isThere: false, dwellMs: 0, windowMs: 0, isLate: false, isKnown }
  }
  return {
    arrivedAt: first.from,
    leftAt: last.to,
    isThere: last.to === track.at(-1)?.at,
    dwellMs: lengthOf(counted),
    windowMs: lengthOf(counted.map(({ from, to }) => ({ from: Math.max(from, zone.from), to: Math.min(to, zone.to) }))),
    isLate: inWindow.length === 0,
    isKnown: true,
  }
}

const lengthOf = (spans: readonly TimeRange[]) => spans.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0)

/** Meters east and north of the middle of a zone, on a flat projection. */
function flatPlace(zone: StopZone, { latitude, longitude }: Point): [x: number, y: number] {
  const perDegree = 111_195
  const narrowing = Math.cos((zone.latitude * Math.PI) / 180)
  return [(longitude - zone.longitude) * perDegree * narrowing, (latitude - zone.latitude) * perDegree]
}

const distanceTo = (zone: StopZone, fix: Point) => Math.hypot(...flatPlace(zone, fix))
const isInside = (zone: StopZone, fix: Point) => distanceTo(zone, fix) <= zone.radiusM

/** The times inside a zone. Between two fixes the truck drove straight; over a silence only one that stood is known. */
function spansInside(track: readonly TrackPoint[], zone: StopZone): TimeRange[] {
  const spans: TimeRange[] = []
  const add = (span: TimeRange) => {
    const last = spans.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else spans.push({ ...span })
  }
  track.forEach((fix, index) => {
    const before = track[index - 1]
    const between = before && spanBetween(before, fix, zone)
    if (between) add(between)
    if (isInside(zone, fix)) add({ from: fix.at, to: fix.at })
  })
  return spans
}

/** The time inside a zone between two neighboring fixes; undefined for none. */
function spanBetween(before: TrackPoint, fix: TrackPoint, zone: StopZone): TimeRange | undefined {
  const areBoth = isInside(zone, before) && isInside(zone, fix)
  if (fix.at - before.at > GAP_MS)
    return areBoth && stayedPut(before, fix) ? { from: before.at, to: fix.at } : undefined
  if (areBoth) return { from: before.at, to: fix.at }
  const crossed = crossingOf(before, fix, zone)
  const at = (share: number) => Math.round(before.at + share * (fix.at - before.at))
  return crossed && { from: at(crossed[0]), to: at(crossed[1]) }
}

/** The shares of the straight way between two fixes at which it enters and leaves a zone. */
function crossingOf(before: Point, fix: Point, zone: StopZone): [enters: number, leaves: number] | undefined {
  const [x, y] = flatPlace(zone, before)
  const [toX, toY] = flatPlace(zone, fix)
  const [dx, dy] = [toX - x, toY - y]
  const length = dx * dx + dy * dy
  if (length === 0) return undefined
  const nearest = -(x * dx + y * dy) / length
  const room = nearest ** 2 - (x * x + y * y - zone.radiusM ** 2) / length
  if (room < 0) return undefined
  const half = Math.sqrt(room)
  const [enters, leaves] = [Math.max(0, nearest - half), Math.min(1, nearest + half)]
  return enters <= leaves ? [enters, leaves] : undefined
}

type Visit = [TimeRange, ...TimeRange[]]

/** Spans that are not far apart are of one visit. */
function visitsOf(spans: readonly TimeRange[]): Visit[] {
  const visits: Visit[] = []
  for (const span of spans) {
    const last = visits.at(-1)
    if (last && span.from - (last.at(-1)?.to ?? 0) <= SAME_VISIT_MS) last.push(span)
    else visits.push([span])
  }
  return visits
}

/**
 * Whether a track without a visit shows that the truck was not there: there are fixes in the window, and in no silence could
 * the truck have come and gone. A shift that had ended, or not begun, within the window missed the rest of it.
 */
function isWindowKnown(track: readonly TrackPoint[], zone: StopZone, hours: readonly TimeRange[]): boolean {
  const asked = hours
    .map(({ from, to }) => ({ from: Math.max(from, zone.from), to: Math.min(to, zone.to) }))
    .filter(({ from, to }) => from < to)
  if (asked.length === 0) return true
  if (!track.some(({ at }) => at >= zone.from && at <= zone.to)) return false
  const ends = [undefined, ...track, undefined]
  return asked.every((window) =>
    ends.every((fix, index) => index === 0 || !hidesVisit(ends[index - 1], fix, zone, window)),
  )
}

/** Whether a truck could have been in a zone, within a window, between two fixes or beyond the first or last one. */
function hidesVisit(
  before: TrackPoint | undefined,
  after: TrackPoint | undefined,
  zone: StopZone,
  window: TimeRange,
): boolean {
  if (before && after && (after.at - before.at <= GAP_MS || stayedPut(before, after))) return false
  const away = (fix: Point) => Math.max(0, distanceTo(zone, fix) - zone.radiusM) / REACH_PER_MS
  const earliest = Math.max(window.from, before ? before.at + away(before) : window.from)
  const latest = Math.min(window.to, after ? after.at - away(after) : window.to)
  return earliest < latest
}
