import { NIL_UUID, type PositionSourceKind } from '@roadshow/contract'
import { PHONE_SOURCE, PLAYER_SOURCE } from '../evidence/index.ts'

export { PHONE_SOURCE, PLAYER_SOURCE }

/** The built-in MyGeotab: minutes without a row in `position_minute` are its own. */
export const GEOTAB_SOURCE = NIL_UUID
/** Files that people upload for a truck. */
export const FILE_SOURCE = '00000000-0000-0000-0000-000000000003'

/** Whether a source counts only where no tracker has spoken. */
export const isLastResort = (source: string): boolean => source === PHONE_SOURCE || source === PLAYER_SOURCE

const MINUTE_MS = 60_000

/** The minute (UTC) of a moment. One source speaks for a truck in each minute. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS

/**
 * A tracker comes before a file: an upload fills gaps, and displaces nothing that a tracker sent by itself. A file comes
 * before the driver's phone, and the phone before the player.
 */
const RANKS: Partial<Record<PositionSourceKind, number>> = { file: 1, phone: 2, player: 3 }
export const rankOf = (kind: PositionSourceKind): number => RANKS[kind] ?? 0

const CLASS_ENDS_M = [10, 25, 100]

/**
 * The class of an accuracy, 0 is best: two good trackers do not take turns because one of them is a meter better now and
 * then. A tracker that says nothing is as good as trackers are.
 */
export function accuracyClass(meters: number | null | undefined): number {
  if (meters === null || meters === undefined) return 0
  const found = CLASS_ENDS_M.findIndex((end) => meters <= end)
  return found === -1 ? CLASS_ENDS_M.length : found
}

/** What a source has for a minute: its rank, and its best class there. */
export interface Claim {
  source: string
  rank: number
  accuracy: number
}

/**
 * Whether a source counts in a minute rather than another one. The order is total, and depends on what both have sent
 * alone, so the order in which it arrives decides nothing. Of two equal ones MyGeotab comes first, then the older one.
 */
export function precedesInMinute(one: Claim, other: Claim): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank
  if (one.accuracy !== other.accuracy) return one.accuracy < other.accuracy
  return one.source < other.source
}
