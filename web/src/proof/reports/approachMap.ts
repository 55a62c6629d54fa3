import type { Point } from '@roadshow/contract/platform/geo'
import type { SdApproach, SdPlaceResult } from '@roadshow/contract/proof/reports'
import type { ColourName } from '../../brand/colours.ts'
import { isHollow } from '../../ui/StateTag.tsx'
import type { Tone } from '../../ui/StateTag.tsx'
import type { Track } from '../../ui/map/spots.ts'

/** What came of an address, in one word. */
type ApproachOutcome = 'shown' | 'missed' | 'notDue' | 'notReached'

export const outcomeLabel: Record<ApproachOutcome, string> = {
  shown: 'Shown',
  missed: 'Missed',
  notDue: 'Another was nearer',
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

/** What came of one approach. Plays may be no longer kept, though it is known that there were some. */
export const approachOutcome = ({ isMissed, isDue, plays }: SdApproach): ApproachOutcome =>
  isMissed ? 'missed' : isDue || plays > 0 ? 'shown' : 'notDue'

/** A circle on the map. */
export interface ApproachCircle extends Point {
  id: string
  name: string
  tone: ColourName
  isHollow: boolean
  /** Of the circle, in pixels. */
  size: number
  /** How far its surroundings reach, where they are to be seen. */
  radiusM?: number
}

/** Where a truck drove. */
export interface TrackLine {
  id: string
  tone: ColourName
  points: Track
}

export interface ApproachMapProps {
  label: string
  circles: readonly ApproachCircle[]
  lines?: readonly TrackLine[]
  /** Of the circles or the lines. */
  chosen?: string | undefined
  onChoose?: (id: string) => void
}

const SMALLEST_PX = 4
const LARGEST_PX = 20

const circleName = ({ label, plays, approaches, missed }: SdPlaceResult) =>
  `${label}: ${count(plays, 'play', 'plays')}, ${count(approaches, 'approach', 'approaches')}, ${missed} missed`
const count = (number: number, one: string, several: string) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : several}`

/** Addresses as circles whose areas are as their plays, the largest first so that none is covered. */
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
