import type { TrackPoint } from '@roadshow/contract'

/** What a tracker said, of the truck that MyGeotab calls by this id. */
type Said<T> = T & { truck: string }

export type TrackerFix = Said<TrackPoint>
export type TrackerStatus = Said<TrackPoint & { heading: number | null; isDriving: boolean | null }>
export type OdometerReading = Said<{ at: number; metres: number }>

export const ODOMETER = 'DiagnosticOdometerId'

const fieldOf = (record: unknown, key: string): unknown =>
  typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[key] : undefined

const MAX_ID = 100

/** What a reference names: MyGeotab writes `{ id }`, or for well-known ones the id alone. */
function refOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : fieldOf(value, 'id')
  // PostgreSQL has no text with a NUL in it: one such id would stop the feed for good.
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID && !id.includes('\0') ? id : undefined
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

// Trackers have their ways to say that they do not know.
const speedOf = (kmh: number | null) => (kmh !== null && kmh >= 0 && kmh < 1000 ? kmh : null)

/** Keys without a value are left out by MyGeotab; a record without the needed ones is none. */
function fixOf(record: unknown): TrackerFix | undefined {
  const truck = refOf(fieldOf(record, 'device'))
  const at = Date.parse(String(fieldOf(record, 'dateTime')))
  const latitude = numberOf(fieldOf(record, 'latitude'))
  const longitude = numberOf(fieldOf(record, 'longitude'))
  if (!truck || Number.isNaN(at) || latitude === null || longitude === null) return undefined
  return { truck, at, latitude, longitude, speedKmh: speedOf(numberOf(fieldOf(record, 'speed'))) }
}

function statusOf(record: unknown): TrackerStatus | undefined {
  const fix = fixOf(record)
  const isDriving = fieldOf(record, 'isDriving')
  if (!fix) return undefined
  const heading = numberOf(fieldOf(record, 'bearing'))
  return {
    ...fix,
    // Geotab's "unknown" is -1.
    heading: heading !== null && heading >= 0 ? heading % 360 : null,
    isDriving: typeof isDriving === 'boolean' ? isDriving : null,
  }
}

function readingOf(record: unknown): OdometerReading | undefined {
  const truck = refOf(fieldOf(record, 'device'))
  const at = Date.parse(String(fieldOf(record, 'dateTime')))
  const metres = numberOf(fieldOf(record, 'data'))
  if (refOf(fieldOf(record, 'diagnostic')) !== ODOMETER) return undefined
  return truck && !Number.isNaN(at) && metres !== null ? { truck, at, metres } : undefined
}

const allOf = <T>(data: readonly unknown[], read: (record: unknown) => T | undefined): T[] =>
  data.map(read).filter((each) => each !== undefined)

/** LogRecord: where a truck was. */
export const fixesOf = (data: readonly unknown[]) => allOf(data, fixOf)
/** DeviceStatusInfo: what is known of a truck at this moment. */
export const statusesOf = (data: readonly unknown[]) => allOf(data, statusOf)
/** StatusData of the calibrated odometer, which counts metres. */
export const readingsOf = (data: readonly unknown[]) => allOf(data, readingOf)
