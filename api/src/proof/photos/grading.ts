import {
  formatDistance,
  type GpsFix,
  metersBetween,
  type PhotoSource,
  type Point,
  type PopGrade,
} from '@roadshow/contract'
import {
  type DistanceLimits,
  type EvidenceFix,
  FIX_COVERS_MS,
  gradeDistance,
  independentOf,
  metersToSection,
  PARKED_SILENCE_MS,
  trackSectionAt,
} from '../../live/evidence/index.ts'

/** The part of a photo that decides its grade. */
export interface PhotoClaim {
  at: number | null
  timeSource: PhotoSource | null
  place: Point | null
  placeSource: PhotoSource | null
  /** How exactly a phone knew its place; null for other sources. */
  accuracyM: number | null
  /** Whether the driver of its shift sent it, now or before another one got the shift: it was taken on that driver's phone. */
  isOfDriver: boolean
  /** The truck of its shift; null without a shift. */
  truckUid: string | null
  /** The hours in which the shift held its truck. */
  hours: { from: number; to: number } | null
}

export interface PhotoGrade {
  grade: PopGrade
  reason: string
  distanceM: number | null
  secondsApart: number | null
}

/** No loaded truck is faster: 33 m/s, 74 mph. */
const FASTEST_MPS = 33
const LIMITS: DistanceLimits = {
  // A photographer stands across a street or a square, and both receivers err among tall buildings.
  agreesM: 300,
  // Farther than a truck drives in the time that a fix covers.
  contradictsM: (FASTEST_MPS * FIX_COVERS_MS) / 1000,
}
/** A place by cell towers may lie a mile off. It can neither agree with a track nor contradict it. */
const COARSE_M = 300
/** Drivers take photos before they start and after they stop, but not hours away from the shift. */
export const AROUND_SHIFT_MS = 2 * 3_600_000

/** A fix of the truck's track; `by` where no tracker spoke. */
type TrackFix = GpsFix & Partial<Pick<EvidenceFix, 'by'>>
const BY = { phone: " by the driver's phone", player: ' by its player' }

const unverified = (reason: string): PhotoGrade => ({
  grade: 'unverified',
  reason,
  distanceM: null,
  secondsApart: null,
})

/** The reason why a photo cannot be compared with a track, if there is one. */
function reasonNotComparable({ timeSource, placeSource, truckUid }: PhotoClaim): string | undefined {
  const missing = [...(timeSource ? [] : ['time']), ...(placeSource ? [] : ['place'])]
  if (missing.length > 0) return `The photo has no recorded ${missing.join(' or ')}`
  const typed = [...(timeSource === 'typed' ? ['time'] : []), ...(placeSource === 'typed' ? ['place'] : [])]
  if (typed.length > 0)
    return `The ${typed.join(' and ')} ${typed.length > 1 ? 'were' : 'was'} entered by hand and can't be verified`
  return truckUid ? undefined : 'Not assigned to a shift, so there is no truck to compare with'
}

/**
 * Whether a truck's own track proves a photo, contradicts it, or cannot tell. A phone's positions do not judge a photo that
 * was taken on it. `fixes` are those of `fixesAround` for the
 * photo's moment, in any order, because fixes do not arrive in theirs.
 */
export function gradePhoto(photo: PhotoClaim, fixes: readonly TrackFix[]): PhotoGrade {
  const { at, place, hours } = photo
  const reason = reasonNotComparable(photo)
  if (reason !== undefined || at === null || !place) return unverified(reason ?? '')
  const outside = hours ? Math.max(hours.from - at, at - hours.to) : 0
  if (hours && outside > AROUND_SHIFT_MS) {
    const when = at < hours.from ? 'before the shift started' : 'after the shift ended'
    return { ...unverified(`Taken ${duration(outside)} ${when}`), grade: 'conflict' }
  }
  if (photo.accuracyM !== null && photo.accuracyM > COARSE_M) {
    return unverified(`The phone knew its place only to within ${formatDistance(photo.accuracyM)}`)
  }
  const near = fixes
    .filter((fix) => Math.abs(fix.at - at) <= PARKED_SILENCE_MS)
    .toSorted((one, other) => one.at - other.at)
  const track = photo.isOfDriver ? independentOf('phone', near) : near
  const nearest = track.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0]
  if (!nearest) return unverified(`No ${near.length > 0 ? 'independent ' : ''}GPS data from the truck around that time`)
  return compareWithTrack(place, at, track, nearest)
}

function compareWithTrack(place: Point, at: number, track: readonly TrackFix[], nearest: TrackFix): PhotoGrade {
  const apartMs = Math.abs(nearest.at - at)
  const section = trackSectionAt(track, at)
  const distanceM = section ? metersToSection(section, place) : metersBetween(nearest, place)
  const found = {
    reason: `${formatDistance(distanceM)} from the truck${nearest.by ? BY[nearest.by] : ''}, ${duration(apartMs)} apart`,
    distanceM: Math.round(distanceM),
    secondsApart: Math.round(apartMs / 1000),
  }
  if (section) return { ...found, grade: gradeDistance(distanceM, LIMITS) }
  // The truck may have been anywhere on its way; only a place out of its reach contradicts.
  const isOutOfReach = distanceM > LIMITS.agreesM + (FASTEST_MPS * apartMs) / 1000
  return { ...found, grade: isOutOfReach ? 'conflict' : 'unverified' }
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`
}
