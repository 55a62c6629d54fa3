import { metersBetween, metersToBorder, type Point, type PopGrade } from '@roadshow/contract'

/** Where a truck's own tracker says it was. Times in milliseconds since 1970. */
export interface Fix extends Point {
  at: number
}

type Source = 'exif' | 'typed'

/** A photo as far as it is judged. */
export interface JudgedPhoto {
  at: number | null
  timeSource: Source | null
  place: Point | null
  placeSource: Source | null
  /** Whether it belongs to a shift, and so to a truck. */
  hasTruck: boolean
  /** When that shift was really driven. */
  hours: { from: number; to: number } | null
}

export interface Judgement {
  grade: PopGrade
  reason: string
  distanceM: number | null
  secondsApart: number | null
}

/** A fix tells where the truck was for as long before and after: about as far as a camera's clock is off, too. */
export const NEAR_MS = 60_000
/** Trackers of parked trucks are silent for long. Two fixes of the same place this far apart say that it stood there. */
export const SILENT_MS = 30 * 60_000
/** Two fixes of a truck that stands are not farther apart than this between houses. */
const STOOD_M = 150
/** Who takes a photo of a truck stands across a street or a square, and both receivers err among high houses. */
const AGREES_M = 300
/** No loaded truck is faster: 120 km/h. */
const FASTEST_MPS = 33
/** Farther than a truck drives in the time that a fix tells about. */
const CONTRADICTS_M = (FASTEST_MPS * NEAR_MS) / 1000
/** Drivers take photos before they start and after they have stopped; but nobody for hours. */
export const AROUND_SHIFT_MS = 2 * 3_600_000

const unverified = (reason: string): Judgement => ({
  grade: 'unverified',
  reason,
  distanceM: null,
  secondsApart: null,
})

/** Why there is nothing to compare with, if so. */
function cannotTell({ timeSource, placeSource, hasTruck }: JudgedPhoto): string | undefined {
  const lacking = [...(timeSource ? [] : ['when']), ...(placeSource ? [] : ['where'])]
  if (lacking.length > 0) return `The photo does not say ${lacking.join(' or ')} it was taken`
  const typed = [...(timeSource === 'typed' ? ['time'] : []), ...(placeSource === 'typed' ? ['place'] : [])]
  if (typed.length > 0)
    return `Its ${typed.join(' and ')} ${typed.length > 1 ? 'were' : 'was'} typed in, which proves nothing`
  return hasTruck ? undefined : 'It belongs to no shift, so there is no truck to compare with'
}

/**
 * Whether a truck's own track proves a photo, contradicts it, or cannot tell. The fixes are those within NEAR_MS of the
 * photo and the nearest before and after, up to SILENT_MS away; in any order, as they do not arrive in theirs.
 */
export function judgePhoto(photo: JudgedPhoto, fixes: readonly Fix[]): Judgement {
  const { at, place, hours } = photo
  const open = cannotTell(photo)
  if (open !== undefined || at === null || !place) return unverified(open ?? '')
  const outside = hours ? Math.max(hours.from - at, at - hours.to) : 0
  if (hours && outside > AROUND_SHIFT_MS) {
    const when = at < hours.from ? 'before the shift began' : 'after the shift ended'
    return { ...unverified(`Taken ${duration(outside)} ${when}`), grade: 'conflict' }
  }
  const track = fixes.filter((fix) => Math.abs(fix.at - at) <= SILENT_MS).toSorted((one, other) => one.at - other.at)
  const nearest = track.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0]
  if (!nearest) return unverified('No position of the truck is known around that time')
  return compared(place, at, track, nearest)
}

function compared(place: Point, at: number, track: readonly Fix[], nearest: Fix): Judgement {
  const apartMs = Math.abs(nearest.at - at)
  const near = track.filter((fix) => Math.abs(fix.at - at) <= NEAR_MS)
  const stretch = near.length > 0 ? near : stoodAround(track, at)
  const distanceM = stretch ? metresToWay(stretch, place) : metersBetween(nearest, place)
  const found = {
    reason: `${metres(distanceM)} from the truck, ${duration(apartMs)} apart`,
    distanceM: Math.round(distanceM),
    secondsApart: Math.round(apartMs / 1000),
  }
  if (!stretch) {
    // It may have been anywhere on its way; only what it cannot have reached contradicts.
    const isOutOfReach = distanceM > AGREES_M + (FASTEST_MPS * apartMs) / 1000
    return { ...found, grade: isOutOfReach ? 'conflict' : 'unverified' }
  }
  const grade = distanceM <= AGREES_M ? 'verified' : distanceM > CONTRADICTS_M ? 'conflict' : 'unverified'
  return { ...found, grade }
}

/** The fixes before and after a moment, where both are of one place. */
function stoodAround(track: readonly Fix[], at: number): Fix[] | undefined {
  const [before, after] = [track.findLast((fix) => fix.at <= at), track.find((fix) => fix.at >= at)]
  return before && after && metersBetween(before, after) <= STOOD_M ? [before, after] : undefined
}

/** How far a place is from where the truck came along: between two fixes it may have been anywhere on the way. */
function metresToWay(way: readonly Fix[], place: Point): number {
  const steps = way.slice(1).map((fix, index) => metersToBorder([corner(way[index] ?? fix), corner(fix)], place))
  return Math.min(...way.map((fix) => metersBetween(fix, place)), ...steps)
}

const corner = ({ longitude, latitude }: Point) => [longitude, latitude] as const

const metres = (distance: number) =>
  distance < 1000
    ? `${Math.round(distance)} m`
    : `${(distance / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })} km`

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`
}
