import type { TrackPoint } from '@roadshow/contract'
import { type OfTruck, speedOf, type TrackerFix } from './normalize-rules.ts'

export type { TrackerFix }
export type TrackerStatus = OfTruck<TrackPoint & { heading: number | null; isDriving: boolean | null }>
export type OdometerReading = OfTruck<{ at: number; metres: number }>

export const ODOMETER = 'DiagnosticOdometerId'

const fieldOf = (record: unknown, key: string): unknown =>
  typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[key] : undefined

const MAX_ID = 100

/** The id of a reference. MyGeotab writes `{ id }`, or only the id for well-known ones. */
function refOf(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : fieldOf(value, 'id')
  // PostgreSQL cannot store a NUL in text: one such id would block the source forever.
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID && !id.includes('\0') ? id : undefined
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/** MyGeotab omits keys without a value; a record without the required ones is skipped. */
function fixOf(record: unknown): TrackerFix | undefined {
  const truck = refOf(fieldOf(record, 'device'))
  const at = Date.parse(String(fieldOf(record, 'dateTime')))
  const latitude = numberOf(fieldOf(record, 'latitude'))
  const longitude = numberOf(fieldOf(record, 'longitude'))
  if (!truck || Number.isNaN(at) || latitude === null || longitude === null) return undefined
  return { truck, at, latitude, longitude, speedKmh: speedOf(numberOf(fieldOf(record, 'speed')), 'kmh') }
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

/** LogRecord: a past position of a truck. */
export const fixesOf = (data: readonly unknown[]) => allOf(data, fixOf)
/** DeviceStatusInfo: the current state of a truck. */
export const statusesOf = (data: readonly unknown[]) => allOf(data, statusOf)
/** StatusData of the calibrated odometer, in meters. */
export const readingsOf = (data: readonly unknown[]) => allOf(data, readingOf)
