import type { SentPosition } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { numberOf, type OdometerReading, type SentFix, externalIdOf, timeOf } from '../telemetry/index.ts'

/** What a call of a tracker holds: fixes as they were sent, and readings of the truck's own odometer. */
export interface SentCall {
  fixes: SentFix[]
  readings: OdometerReading[]
}

/** At most this many locations come with one call. */
const MAX_LOCATIONS = 1000

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a call in any of the three shapes that Traccar and its friends speak: parameters of the OsmAnd protocol, the JSON
 * of Traccar Client 9, and a position that a Traccar server forwards.
 */
export function readTrackerCall(query: unknown, body: unknown): SentCall {
  const sent = fieldsOf(body)
  if (isObject(sent['position'])) return readForwarded(sent)
  if (sent['location'] !== undefined && typeof sent['location'] !== 'string') return readClient(sent)
  return { fixes: [readOsmAnd({ ...fieldsOf(query), ...sent })], readings: [] }
}

/** Parameters of the OsmAnd protocol. Its speed is in knots. */
function readOsmAnd(given: Record<string, unknown>): SentFix {
  const [latitude, longitude] = typeof given['location'] === 'string' ? given['location'].split(',') : []
  return {
    id: given['id'] ?? given['deviceid'],
    time: given['timestamp'],
    latitude: given['lat'] ?? latitude,
    longitude: given['lon'] ?? longitude,
    speed: given['speed'],
    unit: 'knots',
    heading: given['bearing'] ?? given['heading'],
    accuracy: given['accuracy'],
    isValid: given['valid'],
  }
}

/** The JSON of Traccar Client 9: one location, or a list where it has waited for a network. Its speed is in m/s. */
function readClient({ location, device_id: id }: Record<string, unknown>): SentCall {
  const all: unknown[] = Array.isArray(location) ? location : [location]
  if (all.length > MAX_LOCATIONS)
    throw new AppError('tooLarge', { text: `A call can have at most ${MAX_LOCATIONS} locations.` })
  const fixes = all.map((each): SentFix => {
    const { timestamp, coords, is_moving: isMoving } = fieldsOf(each)
    const { latitude, longitude, speed, heading, accuracy } = fieldsOf(coords)
    return { id, time: timestamp, latitude, longitude, speed, unit: 'ms', heading, accuracy, isMoving }
  })
  return { fixes, readings: [] }
}

/** A position that a Traccar server forwards as JSON. Its speed is in knots, its odometer in meters. */
function readForwarded({ position, device }: Record<string, unknown>): SentCall {
  const given = fieldsOf(position)
  const { motion, odometer } = fieldsOf(given['attributes'])
  const id = fieldsOf(device)['uniqueId']
  const fix: SentFix = {
    id,
    time: given['fixTime'],
    latitude: given['latitude'],
    longitude: given['longitude'],
    speed: given['speed'],
    unit: 'knots',
    heading: given['course'],
    accuracy: given['accuracy'],
    isMoving: motion,
    isValid: given['valid'],
    isOutdated: given['outdated'],
  }
  return { fixes: [fix], readings: readingOf(id, given['deviceTime'] ?? given['fixTime'], odometer) }
}

function readingOf(id: unknown, time: unknown, odometer: unknown): OdometerReading[] {
  const [truck, at, metres] = [externalIdOf(id), timeOf(time), numberOf(odometer)]
  return truck !== undefined && at !== undefined && metres !== null && metres > 0 ? [{ truck, at, metres }] : []
}

/** A row of a JSON batch. */
export const readPosition = (row: SentPosition): SentFix => ({
  id: row.tracker,
  time: row.at,
  latitude: row.latitude,
  longitude: row.longitude,
  speed: row.speed,
  unit: row.speedUnit ?? 'kmh',
  heading: row.heading,
  accuracy: row.accuracy,
})
