import type { LiveState, Readiness, Settings } from '@roadshow/contract'

/** The facts of three clocks of a truck: tracker, player and schedule. Times are milliseconds since 1970. */
export interface TruckClocks {
  positionAt: number | null
  speedKmh: number | null
  isDriving: boolean | null
  playedAt: number | null
  /** Trucks with printed boards have no plays to miss. */
  hasScreen: boolean
  /** The shift that covers this moment. */
  shift: { status: 'planned' | 'out'; startsAt: number } | null
}

const MINUTE = 60_000
const MOVING_KMH = 5
/** A shift is late when its start is this long past and it has not been started. */
export const LATE_MINUTES = 10

type Thresholds = Pick<Settings, 'silentAfterMinutes' | 'noPlaysAfterMinutes'>

/** The state of a truck; if two apply, the one that loses more money. */
export function truckState(
  clocks: TruckClocks,
  { silentAfterMinutes, noPlaysAfterMinutes }: Thresholds,
  now: number,
): LiveState {
  const within = (at: number | null, minutes: number) => at !== null && now - at <= minutes * MINUTE
  const hasGps = within(clocks.positionAt, silentAfterMinutes)
  const isPlaying = within(clocks.playedAt, noPlaysAfterMinutes)
  if (!hasGps) return isPlaying ? 'playingSilent' : 'silent'
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

/** The last health report of a truck's player. */
export interface PlayerHealth {
  receivedAt: number
  files: readonly string[]
  clockOffsetMs: number
  gpsFix: boolean
}

/** Whether a truck is ready for an upcoming shift, by the last report of its player. */
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
