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

/** A shift in the hours that its truck really was on it. Times in milliseconds since 1970. */
export interface DrivenShift {
  uid: string
  programUid: string
  marketUid: string
  /** The local day on which it starts by plan. */
  day: string
  startsAt: number
  endsAt: number
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

/** The shifts and tracker fixes of one truck, each ordered by time. */
export interface PlayEvidence {
  shifts: readonly DrivenShift[]
  track: readonly GpsFix[]
  /** A truck farther outside its market than this contradicts the play. */
  outsideByM: number
  /** The plays that overlap another one on the same side. */
  overlaps: ReadonlySet<TimedPlay>
}

/** A verified play needs no reason. */
type Verdict = { grade: 'verified'; reason?: undefined } | { grade: Exclude<PopGrade, 'verified'>; reason: PlayReason }

// A player's own receiver and the tracker differ, and between two fixes the truck's place is interpolated.
const LIMITS: DistanceLimits = { agreesM: 500, contradictsM: 2000 }

// A driver who starts early is on two shifts for a while, never on more.
const OVERLAPPING = 3

/** The shift that the truck was on at a moment; of two at once, the one that began later. */
function shiftAt(shifts: readonly DrivenShift[], at: number): DrivenShift | undefined {
  const last = lastIndexUntil(shifts, at, ({ startsAt }) => startsAt) + 1
  return shifts.slice(Math.max(0, last - OVERLAPPING), last).findLast(({ endsAt }) => at < endsAt)
}

/** Why a play cannot have been shown as it claims. */
function implausibility(play: PlayClaim, overlaps: PlayEvidence['overlaps']): PlayReason | undefined {
  if (!play.isFileOfSet) return 'unknownFile'
  if (isTooLong(play)) return 'tooLong'
  return overlaps.has(play) ? 'overlap' : undefined
}

function gradeOnShift({ at, place }: PlayClaim, { area }: DrivenShift, { track, outsideByM }: PlayEvidence): Verdict {
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
export function gradePlay(play: PlayClaim, evidence: PlayEvidence): Verdict & { shift?: DrivenShift } {
  const onTruck = shiftAt(evidence.shifts, play.at)
  const shift = onTruck?.programUid === play.programUid ? onTruck : undefined
  const problem = implausibility(play, evidence.overlaps)
  const verdict: Verdict = problem
    ? { grade: 'conflict', reason: problem }
    : shift
      ? gradeOnShift(play, shift, evidence)
      : { grade: 'unverified', reason: onTruck ? 'otherProgram' : 'noShift' }
  return shift ? { ...verdict, shift } : verdict
}
