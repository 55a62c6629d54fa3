import type { LiveState, Readiness, Settings } from '@roadshow/contract'

/** What three clocks say of a truck: its tracker, its player and its schedule. Times in milliseconds since 1970. */
export interface TruckClocks {
  positionAt: number | null
  speedKmh: number | null
  isDriving: boolean | null
  playedAt: number | null
  /** Printed boards play nothing, and nobody misses it. */
  hasScreen: boolean
  /** The shift that covers this moment. */
  shift: { status: 'planned' | 'out'; startsAt: number } | null
}

const MINUTE = 60_000
const MOVING_KMH = 5
/** A shift is late when its start is this long past and nobody has started it. */
export const LATE_MINUTES = 10

type Thresholds = Pick<Settings, 'silentAfterMinutes' | 'noPlaysAfterMinutes'>

/** The one state of a truck; where two would fit, the one on which more money is lost. */
export function truckState(
  clocks: TruckClocks,
  { silentAfterMinutes, noPlaysAfterMinutes }: Thresholds,
  now: number,
): LiveState {
  const within = (at: number | null, minutes: number) => at !== null && now - at <= minutes * MINUTE
  const isHeard = within(clocks.positionAt, silentAfterMinutes)
  const isPlaying = within(clocks.playedAt, noPlaysAfterMinutes)
  if (!isHeard) return isPlaying ? 'playingSilent' : 'silent'
  const isMoving = clocks.speedKmh === null ? clocks.isDriving === true : clocks.speedKmh >= MOVING_KMH
  const { shift } = clocks
  if (isMoving) {
    if (!shift) return 'offShift'
    return clocks.hasScreen && !isPlaying ? 'darkScreen' : 'driving'
  }
  return shift && isLate(shift, now) ? 'notMoving' : 'parked'
}

const isLate = (shift: { status: string; startsAt: number }, now: number): boolean =>
  shift.status === 'planned' && now - shift.startsAt > LATE_MINUTES * MINUTE

const CLOCK_OFF_MS = 5_000
const FRESH_MS = 15 * MINUTE

/** What a truck's player said of itself. */
export interface PlayerHealth {
  receivedAt: number
  files: readonly string[]
  clockOffsetMs: number
  gpsFix: boolean
}

/** Whether a truck could leave: what an upcoming shift needs, against what its player said. */
export function readinessOf(
  health: PlayerHealth | null,
  needed: readonly string[],
  playerSeenAt: number | null,
  now: number,
): Readiness {
  const held = new Set(health?.files)
  return {
    artwork: health ? needed.length > 0 && needed.every((file) => held.has(file)) : null,
    clock: health ? Math.abs(health.clockOffsetMs) <= CLOCK_OFF_MS : null,
    gps: health ? health.gpsFix : null,
    player: playerSeenAt !== null && now - playerSeenAt <= FRESH_MS,
  }
}
