import { type feeds, type QueryOf, toMiles, type TrackCollection } from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import { requireProgram } from '../../live/plays/index.ts'
import { heldHours } from '../../planning/shifts/index.ts'
import { type Db, inSnapshot } from '../../platform/db/connection.ts'
import { releaseLocksAfter } from '../../platform/db/partitions.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Download } from '../../platform/http/download.ts'
import { type FeedName, readCursor, writeCursor } from './cursor.ts'
import { feedAnswer, feedFileName } from './plays.ts'

type PositionQuery = QueryOf<typeof feeds.positions>
type ShiftTrack = TrackCollection['features'][number]

interface FedShift {
  uid: string
  startsAt: string
  zone: string
  day: string
  truck: { uid: string; name: string }
  market: { uid: string; name: string }
  /** The hours in which the shift held the truck, as a multirange, and their ends. */
  hours: string
  from: string
  to: string
  isOver: boolean
}

/** The shifts of a page and the first one of the next page. */
async function readShifts(db: Db, feed: FeedName, query: PositionQuery): Promise<FedShift[]> {
  const { keepPositionsDays } = await readSettings(db)
  const after = query.cursor === undefined ? undefined : readCursor(feed, query.cursor)
  const isBehind = after ? sql`(s.starts_at, s.uid) > (${after.at}::timestamptz, ${after.device}::uuid)` : sql`true`
  const { rows } = await sql<FedShift>`
    with driven as materialized (
      select s.uid, s.starts_at, s.zone, s.local_date, s.truck_uid, s.market_uid,
             upper(h.hours) <= now() as is_over, h.hours * tstzmultirange(tstzrange(null, now())) as hours
        from shift s cross join lateral (select ${heldHours('s')} as hours) h
       where s.program_uid = ${feed.program} and lower(h.hours) < now()
         and s.starts_at > now() - make_interval(days => ${keepPositionsDays}) and ${isBehind}
         and s.local_date >= ${query.from ?? '-infinity'}::date and s.local_date <= ${query.to ?? 'infinity'}::date
       order by s.starts_at, s.uid limit ${sql.lit(query.limit + 1)})
    select d.uid, d.starts_at as "startsAt", d.zone, d.local_date as day,
           json_build_object('uid', t.uid, 'name', t.number) as truck,
           json_build_object('uid', m.uid, 'name', m.name) as market, d.hours::text as hours,
           coalesce(lower(d.hours), d.starts_at) as "from", coalesce(upper(d.hours), d.starts_at) as "to",
           d.is_over as "isOver"
      from driven d join truck t on t.uid = d.truck_uid join market m on m.uid = d.market_uid
     order by d.starts_at, d.uid`.execute(db)
  return rows
}

interface FedPosition {
  at: string
  latitude: number
  longitude: number
  speedKmh: number | null
}

/** The positions of a truck in the hours of a shift. Not prepared: the weeks are known to the planner. */
async function readPositions(db: Db, { truck, hours, from, to }: FedShift): Promise<FedPosition[]> {
  const { rows } = await sql<FedPosition>`
    select p.at, p.latitude, p.longitude, p.speed_kmh as "speedKmh" from position p
     where p.truck_uid = ${truck.uid} and p.at >= ${from}::timestamptz and p.at < ${to}::timestamptz
       and p.at <@ ${hours}::tstzmultirange
     order by p.at`.execute(db)
  return rows
}

/** A line needs two positions; one is a point, and a shift without positions has no geometry. */
function geometryOf(positions: readonly FedPosition[]): ShiftTrack['geometry'] {
  const coordinates = positions.map(({ longitude, latitude }): [number, number] => [longitude, latitude])
  const [first] = coordinates
  if (!first) return null
  return coordinates.length === 1 ? { type: 'Point', coordinates: first } : { type: 'LineString', coordinates }
}

const mphOf = (kmh: number | null) => (kmh === null ? null : Math.round(toMiles(kmh * 1000) * 10) / 10)

function trackOf(shift: FedShift, positions: readonly FedPosition[]): ShiftTrack {
  const { uid, truck, market, zone, day, from, to, isOver } = shift
  return {
    type: 'Feature',
    id: uid,
    geometry: geometryOf(positions),
    properties: {
      shiftUid: uid,
      truck,
      market,
      zone,
      day,
      from,
      to: isOver ? to : null,
      times: positions.map(({ at }) => at),
      mph: positions.map(({ speedKmh }) => mphOf(speedKmh)),
    },
  }
}

/** The tracks of a program within the hours of its shifts, some shifts a page. */
async function readTracks(db: Db, program: string, query: PositionQuery): Promise<TrackCollection> {
  const feed = { kind: 'positions', program } as const
  return inSnapshot(db, async (db) => {
    const shifts = await readShifts(db, feed, query)
    const page = shifts.slice(0, query.limit)
    const features: ShiftTrack[] = []
    for (const shift of page) {
      features.push(trackOf(shift, await releaseLocksAfter(db, () => readPositions(db, shift))))
    }
    const last = shifts.length > query.limit ? page.at(-1) : undefined
    const nextCursor = last ? writeCursor(feed, { at: last.startsAt, device: last.uid, playId: '' }) : null
    return { type: 'FeatureCollection', features, nextCursor }
  })
}

/** The tracks of a program as a file of GeoJSON (RFC 7946). */
export async function trackAnswer(db: Db, scope: Scope, program: string, query: PositionQuery): Promise<Download> {
  const { name } = await requireProgram(db, scope, program)
  const tracks = await readTracks(db, program, query)
  const filename = feedFileName(name, 'positions', 'geojson')
  const file = { filename, type: 'application/geo+json; charset=utf-8', text: JSON.stringify(tracks) }
  return feedAnswer(file, tracks.nextCursor, tracks.nextCursor !== null)
}
