import {
  type GpsFix,
  isInsideMarket,
  type MarketArea,
  metersBetween,
  metersOutside,
  type PlayReason,
  type Point,
  type PopGrade,
} from '@roadshow/contract'
import { type DistanceLimits, gradeDistance, lastIndexUntil, placeAt } from '../evidence/index.ts'
import { isTooLong, type TimedPlay } from './overlaps.ts'

/** A shift in hours in which it holds its truck. Times in milliseconds since 1970. */
export interface HeldShift {
  uid: string
  programUid: string
  marketUid: string
  /** The local day on which it starts by plan. */
  day: string
  from: number
  to: number
  area: MarketArea
}

/** The part of a play that decides its grade. */
export interface PlayClaim extends TimedPlay {
  place: Point | null
  /** The program whose artwork it showed. */
  programUid: string
  /** Whether the artwork set ever had the file that was shown. */
  isFileOfSet: boolean
}

/** The holds and fixes of one truck, each ordered by time. */
export interface PlayEvidence {
  holds: readonly HeldShift[]
  /** Without the positions of the truck's player, which says where its plays were by the same receiver. */
  track: readonly GpsFix[]
  /** A truck farther outside its market than this contradicts the play. */
  outsideByM: number
  /** The plays that overlap another one on the same side. */
  overlaps: ReadonlySet<TimedPlay>
}

/** A verified play needs no reason. */
type Verdict = { grade: 'verified'; reason?: undefined } | { grade: Exclude<PopGrade, 'verified'>; reason: PlayReason }

// A player's own receiver and the tracker or phone differ, and between two fixes the truck's place is interpolated.
const LIMITS: DistanceLimits = { agreesM: 500, contradictsM: 2000 }

/** The shift that holds the truck at a moment. */
function holderAt(holds: readonly HeldShift[], at: number): HeldShift | undefined {
  const last = holds[lastIndexUntil(holds, at, ({ from }) => from)]
  return last && at < last.to ? last : undefined
}

/** Why a play cannot have been shown as it claims. */
function implausibility(play: PlayClaim, overlaps: PlayEvidence['overlaps']): PlayReason | undefined {
  if (!play.isFileOfSet) return 'unknownFile'
  if (isTooLong(play)) return 'tooLong'
  return overlaps.has(play) ? 'overlap' : undefined
}

function gradeOnShift({ at, place }: PlayClaim, { area }: HeldShift, { track, outsideByM }: PlayEvidence): Verdict {
  const truck = placeAt(track, at)
  if (!truck) return { grade: 'unverified', reason: 'noTrack' }
  const grade = gradeDistance(place ? metersBetween(place, truck) : 0, LIMITS)
  if (grade === 'conflict') return { grade, reason: 'farFromTruck' }
  if (!isInsideMarket(area, truck)) {
    const isFar = metersOutside(area, truck) > outsideByM
    return { grade: isFar ? 'conflict' : 'unverified', reason: 'outsideMarket' }
  }
  return grade === 'verified' ? { grade } : { grade, reason: 'farFromTruck' }
}

/** The shift that a play belongs to, and its grade. Artwork of another program proves nothing for the shift's program. */
export function gradePlay(play: PlayClaim, evidence: PlayEvidence): Verdict & { shift?: HeldShift } {
  const onTruck = holderAt(evidence.holds, play.at)
  const shift = onTruck?.programUid === play.programUid ? onTruck : undefined
  const problem = implausibility(play, evidence.overlaps)
  const verdict: Verdict = problem
    ? { grade: 'conflict', reason: problem }
    : shift
      ? gradeOnShift(play, shift, evidence)
      : { grade: 'unverified', reason: onTruck ? 'otherProgram' : 'noShift' }
  return shift ? { ...verdict, shift } : verdict
}
