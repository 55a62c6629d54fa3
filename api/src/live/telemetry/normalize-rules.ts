import type { TrackPoint } from '@roadshow/contract'

/** A record of a tracker, with the id of its truck at the source. */
export type OfTruck<T> = T & { truck: string }

/** What sources say of a fix beside its place and speed. */
interface FixDetails {
  heading?: number | null
  /** How far the place may be off, in meters. */
  accuracyM?: number | null
  isMoving?: boolean
}

export type TrackerFix = OfTruck<TrackPoint & FixDetails>

/** Every source says the same in other words: this is the one place that turns them into UTC, WGS 84, km/h and meters. */
export type SpeedUnit = 'kmh' | 'knots' | 'ms' | 'mph'

const KMH: Record<SpeedUnit, number> = { kmh: 1, knots: 1.852, ms: 3.6, mph: 1.609344 }

/** A fix as a source sends it; anything may be anything. Numbers may come as text. */
export interface SentFix {
  /** The id of the truck at the source. */
  id: unknown
  /** Seconds, milliseconds, microseconds or nanoseconds since 1970, or ISO 8601; without a zone it is UTC. */
  time: unknown
  latitude: unknown
  longitude: unknown
  speed?: unknown
  unit: SpeedUnit
  heading?: unknown
  /** In meters. */
  accuracy?: unknown
  isMoving?: unknown
  /** Whether the tracker had a fix at all; a tracker that says nothing had one. */
  isValid?: unknown
  /** Whether it only repeats its last place. */
  isOutdated?: unknown
}

/** A fix, or why it is none; `isExpected` where the tracker made no mistake. */
export type NormalizedFix = { fix: TrackerFix } | { problem: string; isExpected?: true }

const MAX_ID = 100
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f\ud800-\udfff]/u

/** The id of a truck at a source, or undefined. PostgreSQL cannot store a NUL in text. */
export function externalIdOf(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof id !== 'string') return undefined
  const trimmed = id.trim()
  return trimmed !== '' && trimmed.length <= MAX_ID && !CONTROL.test(trimmed) ? trimmed : undefined
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i
const MAX_TEXT = 40

/** A number, also one that is written as text. */
export function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'string' && value.length <= MAX_TEXT && DECIMAL.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** A speed in km/h, to a tenth: units then differ in nothing. Trackers send impossible values for an unknown speed. */
export function speedOf(value: unknown, unit: SpeedUnit): number | null {
  const number = numberOf(value)
  const kmh = number === null ? NaN : Math.round(number * KMH[unit] * 10) / 10
  return number !== null && number >= 0 && kmh < 1000 ? kmh : null
}

/** A heading in degrees from 0 to 360; unknown ones are negative. */
export function headingOf(value: unknown): number | null {
  const degrees = numberOf(value)
  return degrees !== null && degrees >= 0 && degrees < 1e6 ? degrees % 360 : null
}

/** How far a place may be off, in meters; trackers send 0 for an unknown accuracy. */
export function accuracyOf(value: unknown): number | null {
  const meters = numberOf(value)
  return meters !== null && meters > 0 ? meters : null
}

// The same instant has 10 digits in seconds, 13 in milliseconds, 16 in microseconds and 19 in nanoseconds.
const UNITS = [
  [1e11, 1000],
  [1e14, 1],
  [1e17, 1e-3],
  [Infinity, 1e-6],
] as const

const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const LAST_TIME = 8.64e15

/** The milliseconds since 1970, or undefined. */
export function timeOf(value: unknown): number | undefined {
  const number = numberOf(value)
  if (number !== null) {
    const [, factor] = UNITS.find(([end]) => Math.abs(number) < end) ?? UNITS[3]
    const ms = Math.floor(number * factor)
    return number > 0 && ms <= LAST_TIME ? ms : undefined
  }
  if (typeof value !== 'string' || value.length > MAX_TEXT) return undefined
  const [, day, time, zone = 'Z'] = DAY_AND_TIME.exec(value.trim()) ?? []
  if (day === undefined || time === undefined) return undefined
  const ms = Date.parse(`${day}T${time.replace(',', '.')}${isoZone(zone)}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** `+02`, `+0200` and `+02:00` are the same zone; a date of JavaScript reads the last one. */
const isoZone = (zone: string): string =>
  zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`

const isYes = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'
const isNo = (value: unknown) => value === false || value === 'false' || value === 0 || value === '0'

/** A fix as the product keeps it, or the sentence that says why it cannot be one. */
export function normalizeFix(sent: SentFix): NormalizedFix {
  const truck = externalIdOf(sent.id)
  if (truck === undefined) return { problem: 'The id of the tracker is missing or cannot be read.' }
  const at = timeOf(sent.time)
  if (at === undefined) return { problem: 'The time is missing or cannot be read.' }
  const latitude = numberOf(sent.latitude)
  const longitude = numberOf(sent.longitude)
  if (latitude === null || longitude === null) return { problem: 'The latitude or longitude is missing.' }
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return { problem: 'The latitude or longitude is outside of its range.' }
  if (isNo(sent.isValid) || (latitude === 0 && longitude === 0))
    return { problem: 'The tracker had no GPS fix at this time.', isExpected: true }
  if (isYes(sent.isOutdated)) return { problem: 'The tracker repeats an earlier place.', isExpected: true }
  return {
    fix: {
      truck,
      at,
      latitude,
      longitude,
      speedKmh: speedOf(sent.speed, sent.unit),
      heading: headingOf(sent.heading),
      accuracyM: accuracyOf(sent.accuracy),
      ...((isYes(sent.isMoving) || isNo(sent.isMoving)) && { isMoving: isYes(sent.isMoving) }),
    },
  }
}
