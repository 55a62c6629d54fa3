/** Distance between neighbors: it can be halved dozens of times before two positions are too close. */
export const POSITION_STEP = 1024
const TOO_CLOSE = 1e-6

/** The gap in front of a photo, in which another one is put. */
export interface PositionGap {
  /** The position of the photo in front of the gap; null at the start. */
  after: number | null
  before: number
}

/** Whether a gap has no room for another position, so that all photos have to be spaced out first. */
export const isGapTooSmall = ({ after, before }: PositionGap): boolean => after !== null && before - after <= TOO_CLOSE

/** The position in the middle of a gap, or in front of the first photo. */
export const positionIn = ({ after, before }: PositionGap): number =>
  after === null ? before - POSITION_STEP : (after + before) / 2

/** The position after the last photo. */
export const positionAfter = (last: number | null): number => (last ?? 0) + POSITION_STEP
