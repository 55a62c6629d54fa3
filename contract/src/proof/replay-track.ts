// How the track and the plays of a replay travel: as columns of whole numbers. This file has no schemas.
import type { TrackPoint } from '../platform/geo.ts'

/** Degrees are sent in steps of a hundred-thousandth: about 3 feet. */
const PER_DEGREE = 100_000

/** Positions as columns: of times, latitudes and longitudes each number is the step from the one before. */
interface PackedTrack {
  at: number[]
  latitude: number[]
  longitude: number[]
  /** In whole km/h; null where the receiver reported none. */
  speedKmh: (number | null)[]
}

/** Each number as the step from the one before. */
export const toSteps = (values: readonly number[]): number[] =>
  values.map((value, index) => value - (values[index - 1] ?? 0))

export function fromSteps(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}

const degrees = (values: readonly number[]) => toSteps(values.map((value) => Math.round(value * PER_DEGREE)))

/** Positions in the order of their times, packed. */
export const packTrack = (fixes: readonly TrackPoint[]): PackedTrack => ({
  at: toSteps(fixes.map(({ at }) => Math.round(at))),
  latitude: degrees(fixes.map(({ latitude }) => latitude)),
  longitude: degrees(fixes.map(({ longitude }) => longitude)),
  speedKmh: fixes.map(({ speedKmh }) => (speedKmh === null ? null : Math.round(speedKmh))),
})

export function unpackTrack(packed: PackedTrack): TrackPoint[] {
  const [times, latitudes, longitudes] = [packed.at, packed.latitude, packed.longitude].map(fromSteps)
  return (times ?? []).map((at, index) => ({
    at,
    latitude: (latitudes?.[index] ?? 0) / PER_DEGREE,
    longitude: (longitudes?.[index] ?? 0) / PER_DEGREE,
    speedKmh: packed.speedKmh[index] ?? null,
  }))
}

/** The grade of a play, or that it belongs to no shift. */
export const playMarks = ['verified', 'unverified', 'conflict', 'unassigned'] as const
export type PlayMark = (typeof playMarks)[number]
