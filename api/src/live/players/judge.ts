import { insideMarket, type MarketArea, metersBetween, metresOutside, type Point } from '@roadshow/contract'

export type Grade = 'verified' | 'unverified' | 'conflict'

/** A shift as far as plays are matched to it, in the hours that its truck really was on it. Times in milliseconds since 1970. */
export interface DrivenShift {
  uid: string
  programUid: string
  marketUid: string
  startsAt: number
  endsAt: number
  area: MarketArea
}

export interface Fix extends Point {
  at: number
}

/** A play as far as it is judged. */
export interface Judged {
  at: number
  place: Point | null
  /** The program whose artwork it showed. */
  programUid: string
}

/** What there is to judge plays by: the truck's shifts and its own tracker's fixes, each in the order of time. */
export interface Evidence {
  shifts: readonly DrivenShift[]
  track: readonly Fix[]
  outsideByM: number
}

/** A fix tells where the truck was for as long before and after. */
export const NEAR_MS = 60_000
const AGREES_M = 500
const CONTRADICTS_M = 2000

/** The last of some things in order that began at a moment or before. */
function lastUntil<T>(things: readonly T[], at: number, began: (thing: T) => number): number {
  let [low, high] = [0, things.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (began(things[middle] as T) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

// Who starts early is on two shifts for a while, and nobody on more.
const OVERLAPPING = 3

/** The shift that a truck was on; of two, the one that began later. */
function shiftAt(shifts: readonly DrivenShift[], at: number): DrivenShift | undefined {
  const last = lastUntil(shifts, at, ({ startsAt }) => startsAt) + 1
  return shifts.slice(Math.max(0, last - OVERLAPPING), last).findLast(({ endsAt }) => at < endsAt)
}

/** Where the truck was: between two fixes, or at the one that is near. */
function placeAt(track: readonly Fix[], at: number): Point | undefined {
  const index = lastUntil(track, at, (fix) => fix.at)
  const [before, after] = [track[index], track[index + 1]]
  const isBefore = before && at - before.at <= NEAR_MS
  const isAfter = after && after.at - at <= NEAR_MS
  if (!isBefore) return isAfter ? after : undefined
  if (!isAfter) return before
  const share = (at - before.at) / (after.at - before.at)
  return {
    latitude: before.latitude + share * (after.latitude - before.latitude),
    longitude: before.longitude + share * (after.longitude - before.longitude),
  }
}

/** Whether the track proves a play, contradicts it, or cannot tell. */
function gradeOf({ place }: Judged, { area }: DrivenShift, truck: Point | undefined, outsideByM: number): Grade {
  if (!truck) return 'unverified'
  const apart = place ? metersBetween(place, truck) : 0
  if (apart > CONTRADICTS_M) return 'conflict'
  if (insideMarket(area, truck)) return apart <= AGREES_M ? 'verified' : 'unverified'
  return metresOutside(area, truck) > outsideByM ? 'conflict' : 'unverified'
}

/** Which shift a play belongs to, and how sure that is. Artwork of another program is no proof for the shift's. */
export function judge(play: Judged, { shifts, track, outsideByM }: Evidence): { shift?: DrivenShift; grade: Grade } {
  const shift = shiftAt(shifts, play.at)
  if (!shift || shift.programUid !== play.programUid) return { grade: 'unverified' }
  return { shift, grade: gradeOf(play, shift, placeAt(track, play.at), outsideByM) }
}
