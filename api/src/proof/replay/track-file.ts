import { Readable } from 'node:stream'
import {
  formatDay,
  GAP_MS,
  type QueryOf,
  type replays,
  stayedPut,
  type TrackFormat,
  type TrackPoint,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { Download } from '../../platform/http/download.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { findSpan } from './span.ts'
import { readTrack } from './track.ts'

/** A track with its name. */
interface NamedTrack {
  name: string
  zone: string
  fixes: readonly TrackPoint[]
}

/** The pieces of a track: over a silence the way is not known, unless the truck stood. */
export function piecesOf(fixes: readonly TrackPoint[]): TrackPoint[][] {
  const pieces: TrackPoint[][] = []
  let before: TrackPoint | undefined
  for (const fix of fixes) {
    if (before && (fix.at - before.at <= GAP_MS || stayedPut(before, fix))) pieces.at(-1)?.push(fix)
    else pieces.push([fix])
    before = fix
  }
  return pieces
}

const isoTime = (at: number) => new Date(at).toISOString()
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** GPX 1.1: a track segment for each piece. */
export function gpxOf({ name, fixes }: NamedTrack): string {
  const point = ({ at, latitude, longitude }: TrackPoint) =>
    `<trkpt lat="${latitude}" lon="${longitude}"><time>${isoTime(at)}</time></trkpt>`
  const segments = piecesOf(fixes).map((piece) => `<trkseg>\n${piece.map(point).join('\n')}\n</trkseg>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Roadshow" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>${escapeXml(name)}</name>
${segments.join('\n')}
</trk>
</gpx>
`
}

/** GeoJSON: a line for each piece, with the times and reported speeds of its positions. A single position is a point. */
export function geoJsonOf({ name, zone, fixes }: NamedTrack): string {
  const features = piecesOf(fixes).map((piece) => {
    const coordinates = piece.map(({ latitude, longitude }) => [longitude, latitude])
    const geometry =
      piece.length > 1 ? { type: 'LineString', coordinates } : { type: 'Point', coordinates: coordinates[0] }
    const times = piece.map(({ at }) => isoTime(at))
    const speedKmh = piece.map((fix) => fix.speedKmh)
    return { type: 'Feature', properties: { name, timeZone: zone, times, speedKmh }, geometry }
  })
  return `${JSON.stringify({ type: 'FeatureCollection', features })}\n`
}

const kinds: Record<TrackFormat, { type: string; write: (track: NamedTrack) => string }> = {
  gpx: { type: 'application/gpx+xml; charset=utf-8', write: gpxOf },
  geojson: { type: 'application/geo+json; charset=utf-8', write: geoJsonOf },
}

/** The track of a span as a file: `track_t-15_2026-11-17.gpx`, with the program for a shift. */
export async function trackFile(
  db: Db,
  scope: Scope,
  query: QueryOf<typeof replays.track> & { now: number },
): Promise<Download> {
  const span = await findSpan(db, scope, query)
  const fixes = await readTrack(db, span)
  if (fixes.length === 0) throw new AppError('noGpsData')
  const { truck, day, zone, shifts } = span
  const program = span.isOfShift ? shifts[0]?.program.name : undefined
  const of = [truck.name, ...(program === undefined ? [] : [program])]
  const { type, write } = kinds[query.as]
  const text = write({ name: `${of.join(', ')}, ${formatDay(day)}`, zone, fixes })
  return new Download(
    `${exportFileName({ name: 'track', of, days: [day] })}.${query.as}`,
    type,
    Readable.from([text]),
    {
      exportSummary: { rows: () => fixes.length, filters: [`truck: ${truck.name}`, `day: ${day}`] },
    },
  )
}
