import type { DeviceHealth } from '@roadshow/contract/live/device-events'
import type { DeviceClock } from '../core/clock.ts'
import type { TruckPlayer } from '../core/player.ts'
import type { ArtworkFiles } from '../files/artwork-files.ts'
import type { FrameCounts } from '../picture/media.ts'

declare const PLAYER_VERSION: string

interface Facts {
  files: ArtworkFiles
  player: TruckPlayer
  frames: FrameCounts
  clock: DeviceClock
  now: number
  problem: string
}

// What the server takes in one report.
const MAX_FILES = 2000

/** How this screen is, for the server. */
export async function healthOf({ files, player, frames, clock, now, problem }: Facts): Promise<DeviceHealth> {
  const gpsSource = player.positions.source(now)
  return {
    at: new Date().toISOString(),
    files: files.hashes.slice(0, MAX_FILES),
    gpsFix: gpsSource === 'bridge' || gpsSource === 'browser',
    freeBytes: await files.freeBytes(),
    appVersion: PLAYER_VERSION,
    screen: {
      ...files.progress,
      clockOffsetMs: clock.offsetMs,
      droppedFrames: frames.dropped,
      shownFrames: frames.shown,
      playsWaiting: player.log.waiting,
      playsLost: player.log.lost,
      gpsSource,
      lastProblem: problem,
    },
  }
}
