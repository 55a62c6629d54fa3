import type { ReplayClock } from './replayClock.ts'
import type { ReplayModel } from './replayModel.ts'

export interface ReplayMapProps {
  model: ReplayModel
  clock: ReplayClock
}
