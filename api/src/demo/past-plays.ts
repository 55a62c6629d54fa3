import { type Play, type PlayerData, type Point, sdInitialState, type TrackPoint, withSdFix } from '@roadshow/contract'
import { exclusiveLoop } from '@roadshow/contract/planning/loop-lines'
import { turnsBetween } from '@roadshow/contract/planning/loop-rules'

/** How long the screens of the past show a picture: long enough that eight weeks of plays are recorded in a minute. */
export const PICTURE_MS = 300_000

const SIDES = 3

interface Hours {
  from: number
  to: number
}

const loop = exclusiveLoop('past', PICTURE_MS)

/** When the pictures begin that are shown to their end. */
const picturesOf = (hours: Hours): number[] =>
  [...turnsBetween(loop, hours)].flatMap(({ startsAt, endsAt }) => (endsAt <= hours.to ? startsAt : []))

/** How many plays the screens write down in some hours; known before the drive is. */
export const playsOfHours = (hours: Hours): number => SIDES * picturesOf(hours).length

interface PastShow extends Hours {
  shown: PlayerData['shifts'][number]
  /** Where the truck was, by time. */
  track: readonly TrackPoint[]
  firstSequence: number
}

/** What the screens of a truck showed in the hours of a shift: near an SD address the artwork for it. */
export function playsOfPast({ shown, track, from, to, firstSequence }: PastShow): Play[] {
  let sd = sdInitialState
  let seen = 0
  return picturesOf({ from, to }).flatMap((at, index) => {
    for (let fix = track[seen]; fix && fix.at <= at; fix = track[++seen]) sd = withSdFix(sd, fix, shown.addresses)
    const address = shown.addresses.find(({ uid }) => uid === sd.shown)
    const set = address?.artwork ?? shown.artwork
    const place = placeBetween(track[seen - 1], track[seen], at)
    return (set?.files ?? []).map(({ side, sha256 }, offset): Play => {
      const sequence = firstSequence + index * SIDES + offset
      return {
        playId: `${at.toString(36)}-${sequence}`,
        sequence,
        artworkSetUid: set?.artworkSetUid ?? '',
        sha256,
        side,
        startedAt: new Date(at).toISOString(),
        durationMs: PICTURE_MS,
        place,
        addressUid: address?.uid ?? null,
      }
    })
  })
}

/** The place on the way from one fix to the next; null where the player had none. */
function placeBetween(before: TrackPoint | undefined, after: TrackPoint | undefined, at: number): Point | null {
  if (!before || !after) return null
  const share = (at - before.at) / Math.max(1, after.at - before.at)
  return {
    latitude: before.latitude + share * (after.latitude - before.latitude),
    longitude: before.longitude + share * (after.longitude - before.longitude),
  }
}
