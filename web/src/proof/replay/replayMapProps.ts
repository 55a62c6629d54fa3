import type { ReplayClock } from '../../ui/moment/replayClock.ts'
import type { ReplayModel } from './replayModel.ts'

export interface ReplayMapProps {
  model: ReplayModel
  clock: ReplayClock
}
