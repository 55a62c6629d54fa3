import { type GpsFix, metersBetween, metersToBorder, type Point, type PopGrade } from '@roadshow/contract'

/** A fix says where the truck was for this long before and after its moment. */
export const FIX_COVERS_MS = 60_000

/** Trackers of parked trucks stay silent for long; two fixes of one place this far apart say that the truck stood there. */
export const PARKED_SILENCE_MS = 30 * 60_000

// Between buildings, the fixes of a truck that stands lie up to this far apart.
const PARKED_M = 150

export interface DistanceLimits {
  /** Up to here the claimed place and the track agree. */
  agreesM: number
  /** Beyond this they contradict each other. */
  contradictsM: number
}

/** The rule that plays and photos share: the distance between a claimed place and the truck's own track decides. */
export function gradeDistance(distanceM: number, { agreesM, contradictsM }: DistanceLimits): PopGrade {
  if (distanceM > contradictsM) return 'conflict'
  return distanceM <= agreesM ? 'verified' : 'unverified'
}

/** The index of the last item at or before a moment, in a list ordered by time; -1 before the first. */
export function lastIndexUntil<T>(items: readonly T[], at: number, timeOf: (item: T) => number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (timeOf(items[middle] as T) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The fixes of an ordered track that place the truck at a moment: the ones before and after it, as far as they cover it. */
export const fixesPlacing = <Fix extends GpsFix>(track: readonly Fix[], at: number): Fix[] => {
  const index = lastIndexUntil(track, at, (fix) => fix.at)
  return [track[index], track[index + 1]].filter(
    (fix) => fix !== undefined && Math.abs(fix.at - at) <= FIX_COVERS_MS,
  ) as Fix[]
}

/** Where the truck was by its ordered track: between two fixes, or at the only one that covers the moment. */
export function placeAt(track: readonly GpsFix[], at: number): Point | undefined {
  const [before, after] = fixesPlacing(track, at)
  if (!before || !after) return before
  const share = (at - before.at) / (after.at - before.at)
  return {
    latitude: before.latitude + share * (after.latitude - before.latitude),
    longitude: before.longitude + share * (after.longitude - before.longitude),
  }
}

/**
 * The part of an ordered track that says where the truck was at a moment: the fixes that cover it, or the two around it
 * where the truck stood. Undefined where the truck may have been anywhere.
 */
export function trackSectionAt(track: readonly GpsFix[], at: number): GpsFix[] | undefined {
  const covering = track.filter((fix) => Math.abs(fix.at - at) <= FIX_COVERS_MS)
  if (covering.length > 0) return covering
  const [before, after] = [track.findLast((fix) => fix.at <= at), track.find((fix) => fix.at >= at)]
  return before && after && metersBetween(before, after) <= PARKED_M ? [before, after] : undefined
}

const cornerOf = ({ longitude, latitude }: Point) => [longitude, latitude] as const

/** The distance of a place from a section of track: between two fixes the truck may have been anywhere on the line. */
export function metersToSection(section: readonly GpsFix[], place: Point): number {
  const lines = section
    .slice(1)
    .map((fix, index) => metersToBorder([cornerOf(section[index] ?? fix), cornerOf(fix)], place))
  return Math.min(...section.map((fix) => metersBetween(fix, place)), ...lines)
}
