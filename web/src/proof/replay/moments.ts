import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { GAP_MS, stayedPut } from '@roadshow/contract/live/track-gaps'
import type { Point, TrackPoint } from '@roadshow/contract/platform/geo'
import { fromSteps, playMarks } from '@roadshow/contract/proof/replay-track'
import type { PlayMark } from '@roadshow/contract/proof/replay-track'
import type { SidePlays } from '@roadshow/contract/proof/replay'

/** The last index whose time is not after a moment; -1 before the first. Times are in order. */
export function indexAt(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Where a truck is at a moment, and how well that is known. */
interface Position extends Point {
  /** Between two positions, standing over a silence, or the last one known: the truck was not heard since. */
  kind: 'heard' | 'stood' | 'lost'
  speedKmh: number | null
  /** In degrees from north; null for a truck that stands. */
  heading: number | null
  /** Of the last position heard. */
  heardAt: number
}

// A receiver that stands still wanders by a few feet.
const MOVING_KMH = 3

const radians = (degrees: number) => (degrees * Math.PI) / 180

function headingOf(from: Point, to: Point): number | null {
  const north = to.latitude - from.latitude
  const east = (to.longitude - from.longitude) * Math.cos(radians(from.latitude))
  if (north === 0 && east === 0) return null
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
}

const still = (fix: TrackPoint, kind: Position['kind'], speedKmh: number | null = null): Position => ({
  latitude: fix.latitude,
  longitude: fix.longitude,
  kind,
  speedKmh,
  heading: null,
  heardAt: fix.at,
})

/** Where a truck is at a moment. Undefined before its first position. */
export function positionAt(fixes: readonly TrackPoint[], times: ArrayLike<number>, at: number): Position | undefined {
  const index = indexAt(times, at)
  const [before, after] = [fixes[index], fixes[index + 1]]
  if (!before) return undefined
  if (!after) return still(before, at - before.at > GAP_MS ? 'lost' : 'heard', before.speedKmh)
  if (after.at - before.at > GAP_MS) {
    if (stayedPut(before, after)) return still(before, 'stood', 0)
    return still(before, at === before.at ? 'heard' : 'lost', at === before.at ? before.speedKmh : null)
  }
  const share = (at - before.at) / (after.at - before.at)
  const { speedKmh } = before
  return {
    latitude: before.latitude + (after.latitude - before.latitude) * share,
    longitude: before.longitude + (after.longitude - before.longitude) * share,
    kind: 'heard',
    speedKmh,
    heading: speedKmh === null || speedKmh >= MOVING_KMH ? headingOf(before, after) : null,
    heardAt: before.at,
  }
}

/** The plays of a side, in order. */
export interface SideTrack {
  side: TruckSide
  startsAt: readonly number[]
  endsAt: readonly number[]
  picture: readonly number[]
  mark: readonly PlayMark[]
}

export function unpackSide({ side, startedAt, durationMs, picture, mark }: SidePlays): SideTrack {
  const startsAt = fromSteps(startedAt)
  return {
    side,
    startsAt,
    endsAt: startsAt.map((start, index) => start + (durationMs[index] ?? 0)),
    picture,
    mark: mark.map((index) => playMarks[index] ?? 'unverified'),
  }
}

// Between two plays a player takes a moment, in which the picture before stays.
const PAUSE_MS = 2000

/** Which play a side shows at a moment; undefined for none. */
export function playAt({ startsAt, endsAt }: SideTrack, at: number): number | undefined {
  const index = indexAt(startsAt, at)
  const end = endsAt[index]
  return end !== undefined && at < end + PAUSE_MS ? index : undefined
}

/** How many plays of a side began in the minute of a moment. */
export function playsOfMinute({ startsAt }: SideTrack, at: number): number {
  const minute = Math.floor(at / 60_000) * 60_000
  return indexAt(startsAt, minute + 59_999) - indexAt(startsAt, minute - 1)
}
