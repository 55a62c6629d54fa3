import {
  LATE_MINUTES,
  type LiveState,
  type MarketArea,
  METERS_PER_MILE,
  metersOutside,
  MOVING_KMH,
  type Point,
  type Readiness,
  type Settings,
  type ShiftStatus,
  toMiles,
  formatCount,
} from '@roadshow/contract'

/** The facts of three clocks of a truck: tracker, player and schedule. Times are milliseconds since 1970. */
export interface TruckClocks {
  positionAt: number | null
  speedKmh: number | null
  isDriving: boolean | null
  playedAt: number | null
  /** Trucks with printed boards have no plays to miss. */
  hasScreen: boolean
  /** The shift that holds the truck at this moment. */
  shift: { status: ShiftStatus; startsAt: number; endsAt: number } | null
  /** The present drive outside of any shift: since when, when it last added distance, and how far. */
  drive: { since: number; until: number; meters: number } | null
}

const MINUTE = 60_000
/** A truck that leaves the yard or comes back to it needs no one: off shift is a longer drive. */
const OFF_SHIFT_MS = 15 * MINUTE
const OFF_SHIFT_METERS = METERS_PER_MILE
// A drive that added no distance for this long is over.
const STOP_MS = 10 * MINUTE

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
  if (shift?.status === 'out' && shift.endsAt <= now) return 'runningOver'
  if (isMoving) {
    if (!shift) return isOffShift(clocks, now) ? 'offShift' : 'driving'
    return clocks.hasScreen && !isPlaying ? 'darkScreen' : 'driving'
  }
  return shift && isLate(shift, now) ? 'notMoving' : 'parked'
}

/** Whether a moving truck without a shift has driven for a quarter of an hour, and a mile. */
const isOffShift = ({ drive, positionAt }: TruckClocks, now: number): boolean =>
  drive !== null &&
  now - drive.since >= OFF_SHIFT_MS &&
  drive.meters >= OFF_SHIFT_METERS &&
  (positionAt ?? now) - drive.until <= STOP_MS

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

/** A market with its area, as far as it is drawn. */
export interface MarketPlace extends MarketArea {
  name: string
}

/** Where a truck is, in words: the market it is in, or the nearest one and the distance to it. */
export function placeName(point: Point, markets: readonly MarketPlace[]): string {
  const near = markets
    .map((market) => ({ name: market.name, meters: metersOutside(market, point) }))
    .toSorted((one, other) => one.meters - other.meters || (one.name < other.name ? -1 : 1))[0]
  if (!near) return ''
  // Below a mile the outline of a market is not meant that exactly.
  const miles = Math.round(toMiles(near.meters))
  return miles === 0 ? `in ${near.name}` : `${formatCount(miles)} mi from ${near.name}`
}
