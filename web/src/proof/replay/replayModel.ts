import { unpackTrack } from '@roadshow/contract/proof/replay-track'
import type { Replay } from '@roadshow/contract/proof/replay'
import type { TrackPoint } from '@roadshow/contract/platform/geo'
import { unpackSide } from './moments.ts'
import type { SideTrack } from './moments.ts'

/** A replay as the page asks it for moments. */
export interface ReplayModel {
  replay: Replay
  fixes: readonly TrackPoint[]
  times: Float64Array
  sides: readonly SideTrack[]
}

export function readReplay(replay: Replay): ReplayModel {
  const fixes = unpackTrack(replay.track)
  return {
    replay,
    fixes,
    times: Float64Array.from(fixes, ({ at }) => at),
    sides: replay.plays.map(unpackSide),
  }
}

/** Where a replay begins when no moment is asked for: where the truck is first heard, of the first shift if there is one. */
export function firstMoment({ replay, fixes }: ReplayModel): number {
  const { from, to, isRunning, shifts } = replay
  if (isRunning) return to
  const begins = Math.max(from, shifts[0]?.from ?? from)
  return fixes.find(({ at }) => at >= begins)?.at ?? begins
}
