import {
  type GpsFix,
  isInsideMarket,
  type MarketArea,
  metersBetween,
  metersOutside,
  type Point,
  type PopGrade,
} from '@roadshow/contract'
import { type DistanceLimits, gradeDistance, lastIndexUntil, placeAt } from '../evidence/index.ts'

/** A shift in the hours that its truck really was on it. Times in milliseconds since 1970. */
export interface DrivenShift {
  uid: string
  programUid: string
  marketUid: string
  startsAt: number
  endsAt: number
  area: MarketArea
}

/** The part of a play that decides its grade. */
export interface PlayClaim {
  at: number
  place: Point | null
  /** The program whose artwork it showed. */
  programUid: string
}

/** The shifts and tracker fixes of one truck, each ordered by time. */
export interface PlayEvidence {
  shifts: readonly DrivenShift[]
  track: readonly GpsFix[]
  /** A truck farther outside its market than this contradicts the play. */
  outsideByM: number
}

// A player's own receiver and the tracker differ, and between two fixes the truck's place is interpolated.
const LIMITS: DistanceLimits = { agreesM: 500, contradictsM: 2000 }

// A driver who starts early is on two shifts for a while, never on more.
const OVERLAPPING = 3

/** The shift that the truck was on at a moment; of two at once, the one that began later. */
function shiftAt(shifts: readonly DrivenShift[], at: number): DrivenShift | undefined {
  const last = lastIndexUntil(shifts, at, ({ startsAt }) => startsAt) + 1
  return shifts.slice(Math.max(0, last - OVERLAPPING), last).findLast(({ endsAt }) => at < endsAt)
}

function gradeOnShift({ at, place }: PlayClaim, { area }: DrivenShift, { track, outsideByM }: PlayEvidence): PopGrade {
  const truck = placeAt(track, at)
  if (!truck) return 'unverified'
  const grade = gradeDistance(place ? metersBetween(place, truck) : 0, LIMITS)
  if (grade === 'conflict' || isInsideMarket(area, truck)) return grade
  return metersOutside(area, truck) > outsideByM ? 'conflict' : 'unverified'
}

/** The shift that a play belongs to, and its grade. Artwork of another program proves nothing for the shift's program. */
export function gradePlay(play: PlayClaim, evidence: PlayEvidence): { shift?: DrivenShift; grade: PopGrade } {
  const shift = shiftAt(evidence.shifts, play.at)
  if (!shift || shift.programUid !== play.programUid) return { grade: 'unverified' }
  return { shift, grade: gradeOnShift(play, shift, evidence) }
}
