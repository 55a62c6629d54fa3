import { type Depot, metersBetween, MOVING_KMH, type Point, type TrackPoint } from '@roadshow/contract'
import { AROUND_END_M, isNearDepot } from '../../pop/index.ts'

/** The fixes of a truck in its shift that decide whether and where the public sees it. */
export interface TruckFixes {
  /** The last ones before the moment, in order. */
  recent: readonly TrackPoint[]
  /** Where the shift began, and where it ended once it has. */
  start: Point | undefined
  end: Point | undefined
}

export interface PublicPlace extends Point {
  at: number
  isMoving: boolean
  heading: number | null
}

// Closer fixes say nothing about where a truck heads.
const STEP_M = 15

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The direction from one place to another, in degrees from north. */
function headingOf(from: Point, to: Point): number {
  const [one, other] = [radians(from.latitude), radians(to.latitude)]
  const across = radians(to.longitude - from.longitude)
  const east = Math.sin(across) * Math.cos(other)
  const north = Math.cos(one) * Math.sin(other) - Math.sin(one) * Math.cos(other) * Math.cos(across)
  return Math.round(((Math.atan2(east, north) * 180) / Math.PI + 360) % 360)
}

/** Where the public sees a truck; undefined without a fix, near depots, and near the ends of its shift. */
export function publicPlace({ recent, start, end }: TruckFixes, depots: readonly Depot[]): PublicPlace | undefined {
  const last = recent.at(-1)
  if (!last || isNearDepot(last, depots)) return undefined
  if ([start, end].some((place) => place && metersBetween(place, last) < AROUND_END_M)) return undefined
  const before = recent.findLast((fix) => metersBetween(fix, last) >= STEP_M)
  return {
    latitude: last.latitude,
    longitude: last.longitude,
    at: last.at,
    isMoving: (last.speedKmh ?? 0) >= MOVING_KMH,
    heading: before ? headingOf(before, last) : null,
  }
}
