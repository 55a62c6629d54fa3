import { API_BASE, type TrackPoint } from '@roadshow/contract'
import { fixesOf } from '../telemetry/records.ts'
import { type SourceBatch } from '../telemetry/index.ts'
import { geoJsonOf } from '../../proof/replay/track-file.ts'
import type { Said } from './accounts/test-samsara.ts'
import { postJson } from './test-trackers.ts'

/** What a sender needs to send the fixes of one truck. */
interface Sending {
  /** The address of a node. */
  node: string
  /** The key of its source; empty for sources without one. */
  key: string
  /** The id of the truck at the source. */
  id: string
  fixes: readonly TrackPoint[]
  /** Stores what a source would have brought that asks by itself. */
  hear: (batch: Partial<SourceBatch>) => Promise<unknown>
  /** Uploads a file for the truck. */
  upload: (content: string) => Promise<unknown>
  /** Has a Samsara say these readings, and polls it to the end. */
  poll: (readings: Said[]) => Promise<unknown>
}

/** A way by which positions of a truck arrive. */
export interface Sender {
  name: string
  /** The kind of its source; `geotab` is always there. */
  kind: 'geotab' | 'osmand' | 'traccar' | 'json' | 'samsara' | 'file'
  send: (sending: Sending) => Promise<unknown>
}

const KNOTS = 1.852
const MILE = 1.609344
const csvLine = ({ at, latitude, longitude, speedKmh }: TrackPoint) =>
  [at / 1000, latitude, longitude, (speedKmh ?? 0) / MILE].join(';')
const iso = (ms: number) => new Date(ms).toISOString()

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Makes the calls, some at once, as many trackers do. */
async function callAll<T>(items: readonly T[], call: (item: T) => Promise<Response>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    for (const answer of await Promise.all(items.slice(from, from + AT_ONCE).map(call)))
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
}
const AT_ONCE = 100

/**
 * The ways by which the same day may arrive: each row speaks another language, in other units and kinds of time. A real
 * Traccar is not to be had here; its forwarding is played back by its documented shape.
 */
export const senders: readonly Sender[] = [
  {
    name: 'MyGeotab: km/h, ISO',
    kind: 'geotab',
    send: ({ id, fixes, hear }) =>
      hear({
        fixes: fixesOf(
          fixes.map(({ at, latitude, longitude, speedKmh }) => ({
            device: { id },
            dateTime: iso(at),
            latitude,
            longitude,
            speed: speedKmh,
          })),
        ),
      }),
  },
  {
    name: 'OsmAnd parameters: knots, seconds',
    kind: 'osmand',
    send: ({ node, key, id, fixes }) =>
      callAll(fixes, ({ at, latitude, longitude, speedKmh }) => {
        const place = `lat=${latitude}&lon=${longitude}&speed=${(speedKmh ?? 0) / KNOTS}`
        return fetch(`${node}/track/${key}?id=${id}&timestamp=${at / 1000}&${place}`)
      }),
  },
  {
    name: 'OsmAnd form: knots, milliseconds',
    kind: 'osmand',
    send: ({ node, key, id, fixes }) =>
      callAll(fixes, ({ at, latitude, longitude, speedKmh }) => {
        const fields = {
          deviceid: id,
          timestamp: at,
          location: `${latitude},${longitude}`,
          speed: (speedKmh ?? 0) / KNOTS,
        }
        const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
        return fetch(`${node}/track/${key}`, { method: 'POST', body })
      }),
  },
  {
    name: 'Traccar Client 9: m/s, ISO',
    kind: 'osmand',
    send: ({ node, key, id, fixes }) =>
      callAll(
        Array.from({ length: Math.ceil(fixes.length / 50) }, (_, n) => fixes.slice(n * 50, n * 50 + 50)),
        (some) => {
          const location = some.map(({ at, latitude, longitude, speedKmh }) => ({
            timestamp: iso(at),
            coords: { latitude, longitude, accuracy: 5, speed: (speedKmh ?? 0) / 3.6, heading: 90, altitude: 120 },
            is_moving: true,
          }))
          return postJson(`${node}/track/${key}`, { location, device_id: id })
        },
      ),
  },
  {
    name: 'Traccar forwarding: knots, ISO',
    kind: 'traccar',
    send: ({ node, key, id, fixes }) =>
      callAll(fixes, ({ at, latitude, longitude, speedKmh }) => {
        const fixTime = iso(at).replace('Z', '+00:00')
        const speed = (speedKmh ?? 0) / KNOTS
        const position = {
          fixTime,
          deviceTime: fixTime,
          valid: true,
          outdated: false,
          latitude,
          longitude,
          speed,
          course: 90,
        }
        return postJson(`${node}/track`, { position, device: { id: 1, uniqueId: id } }, bearer(key))
      }),
  },
  {
    name: 'JSON batches: mph, seconds',
    kind: 'json',
    send: ({ node, key, id, fixes }) =>
      callAll(
        Array.from({ length: Math.ceil(fixes.length / 200) }, (_, n) => fixes.slice(n * 200, n * 200 + 200)),
        (some) => {
          const positions = some.map(({ at, latitude, longitude, speedKmh }) => ({
            tracker: id,
            at: at / 1000,
            latitude,
            longitude,
            speed: (speedKmh ?? 0) / 1.609344,
            speedUnit: 'mph',
          }))
          return postJson(`${node}${API_BASE}/telemetry/positions`, { positions }, bearer(key))
        },
      ),
  },
  {
    name: 'Samsara: mph, ISO',
    kind: 'samsara',
    send: ({ id, fixes, poll }) =>
      poll(
        fixes.map(({ at, latitude, longitude, speedKmh }) => ({
          vehicle: id,
          gps: { time: iso(at), latitude, longitude, headingDegrees: 90, speedMilesPerHour: (speedKmh ?? 0) / MILE },
        })),
      ),
  },
  {
    name: 'a GPX file: m/s, ISO',
    kind: 'file',
    send: ({ fixes, upload }) =>
      upload(
        `<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${fixes
          .map(
            ({ at, latitude, longitude, speedKmh }) =>
              `<trkpt lat="${latitude}" lon="${longitude}"><time>${iso(at)}</time><extensions><v2:TrackPointExtension><v2:speed>${(speedKmh ?? 0) / 3.6}</v2:speed></v2:TrackPointExtension></extensions></trkpt>`,
          )
          .join('')}</trkseg></trk></gpx>`,
      ),
  },
  {
    name: 'a GeoJSON file: km/h, ISO',
    kind: 'file',
    send: ({ fixes, upload }) => upload(geoJsonOf({ name: 'T-1', zone: 'UTC', fixes })),
  },
  {
    name: 'a CSV file: mph, seconds',
    kind: 'file',
    send: ({ fixes, upload }) => upload(['Timestamp;Lat;Lon;Speed (mph)', ...fixes.map(csvLine)].join('\r\n')),
  },
]
