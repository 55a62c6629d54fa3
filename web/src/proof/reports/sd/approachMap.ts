import type { Point } from '@roadshow/contract/platform/geo'
import type { SdApproach, SdPlaceResult } from '@roadshow/contract/proof/sd-report'
import type { ColorName } from '../../../brand/colors.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { isHollow } from '../../../ui/text/StateTag.tsx'
import type { Tone } from '../../../ui/text/StateTag.tsx'
import type { TrackPoints } from '../../../ui/map/spots.ts'

/** The result for an address. */
type ApproachOutcome = 'shown' | 'missed' | 'notDue' | 'notReached'

export const outcomeLabel: Record<ApproachOutcome, string> = {
  shown: 'Shown',
  missed: 'Missed',
  notDue: 'Another was closer',
  notReached: 'Not reached',
}
export const outcomeTone: Record<ApproachOutcome, Tone> = {
  shown: 'driving',
  missed: 'warn',
  notDue: 'parked',
  notReached: 'silent',
}

const outcomeOf = ({ plays, missed, approaches }: SdPlaceResult): ApproachOutcome =>
  plays > 0 ? 'shown' : missed > 0 ? 'missed' : approaches > 0 ? 'notDue' : 'notReached'

/** The result of one approach. Its plays may be deleted by now, but not the fact that there were some. */
export const approachOutcome = ({ isMissed, isDue, plays }: SdApproach): ApproachOutcome =>
  isMissed ? 'missed' : isDue || plays > 0 ? 'shown' : 'notDue'

/** A circle on the map. */
export interface ApproachCircle extends Point {
  id: string
  name: string
  tone: ColorName
  isHollow: boolean
  /** The radius in pixels. */
  size: number
  /** The radius of the area around it, where it is drawn. */
  radiusM?: number
}

/** The route of a truck. */
export interface TrackLine {
  id: string
  tone: ColorName
  points: TrackPoints
}

export interface ApproachMapProps {
  label: string
  circles: readonly ApproachCircle[]
  lines?: readonly TrackLine[]
  /** The id of a circle or a line. */
  chosen?: string | undefined
  onChoose?: (id: string) => void
}

const SMALLEST_PX = 4
const LARGEST_PX = 20

const circleName = ({ label, plays, approaches, missed }: SdPlaceResult) =>
  `${label}: ${countOf(plays, 'play')}, ${countOf(approaches, 'approach', 'approaches')}, ${missed} missed`

/** Addresses as circles sized by their plays, the largest first so that none is covered. */
export function approachCircles(places: readonly SdPlaceResult[]): ApproachCircle[] {
  const most = Math.max(1, ...places.map(({ plays }) => plays))
  return places
    .toSorted((one, other) => other.plays - one.plays)
    .map((place) => {
      const tone = outcomeTone[outcomeOf(place)]
      return {
        id: place.uid,
        name: circleName(place),
        latitude: place.latitude,
        longitude: place.longitude,
        tone,
        isHollow: isHollow(tone),
        size: Math.max(SMALLEST_PX, LARGEST_PX * Math.sqrt(place.plays / most)),
      }
    })
}
