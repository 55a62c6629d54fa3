import { createHash } from 'node:crypto'
import type { BookedLine, MarketPlaces, ProgramStatus, TruckSide } from '@roadshow/contract'
import { sql } from 'kysely'
import { bookedLineJson } from '../../catalog/programs/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { placesByMarket, type SdPlace } from './rules.ts'

/** A stored file of an artwork set. */
export interface ArtworkFile {
  sha256: string
  blob: string
  thumbnailBlob: string | null
  contentType: string
}

export interface ArtworkFacts {
  name: string
  sides: Record<TruckSide, ArtworkFile | null>
}

interface MarketFacts {
  uid: string
  name: string
  state: string
  zone: string
  startsOn: string
  endsOn: string
  latitude: number | null
  longitude: number | null
}

interface ProgramRow {
  status: ProgramStatus
  client: string
  program: string
  startsOn: string
  endsOn: string
  markets: MarketFacts[]
  lines: BookedLine[]
}

/** Everything of a program that a proposal says. */
export interface ProgramFacts extends ProgramRow {
  artwork: ArtworkFacts[]
  places: MarketPlaces[]
}

async function loadProgram(db: Db, uid: string): Promise<ProgramRow> {
  const { rows } = await sql<ProgramRow>`
    select t.status, c.name as client, t.name as program, t.starts_on as "startsOn", t.ends_on as "endsOn",
           coalesce((select json_agg(json_build_object('uid', m.uid, 'name', m.name, 'state', m.state, 'zone', zone_at(m.zone, m.earlier_zones, now()),
                       'startsOn', coalesce(pm.starts_on, t.starts_on), 'endsOn', coalesce(pm.ends_on, t.ends_on),
                       'latitude', m.latitude, 'longitude', m.longitude) order by pm.position)
                       from program_market pm join market m on m.uid = pm.market_uid
                      where pm.program_uid = t.uid), '[]') as markets,
           coalesce((select json_agg(${bookedLineJson('b', 'm')} order by b.position, b.uid)
                       from booked_line b join market m on m.uid = b.market_uid
                      where b.program_uid = t.uid), '[]') as lines
      from client_program t join client c on c.uid = t.client_uid
     where t.uid = ${uid} and t.deleted_at is null`.execute(db)
  if (!rows[0]) throw new AppError('notFound')
  return rows[0]
}

const MOST_SETS = 6

const fileJson = (file: string) => sql`case when ${sql.ref(`${file}.uid`)} is not null then json_build_object(
  'sha256', ${sql.ref(`${file}.sha256`)}, 'blob', ${sql.ref(`${file}.blob_name`)},
  'thumbnailBlob', ${sql.ref(`${file}.thumbnail_blob`)}, 'contentType', ${sql.ref(`${file}.content_type`)}) end`

/** The first artwork sets of a program that have a file. */
async function loadArtwork(db: Db, uid: string): Promise<ArtworkFacts[]> {
  const { rows } = await sql<ArtworkFacts>`
    select t.name, json_build_object('driverSide', ${fileJson('d')}, 'passengerSide', ${fileJson('s')},
             'rear', ${fileJson('r')}) as sides
      from artwork_set t
      left join stored_file d on d.uid = t.driver_side_artwork_uid
      left join stored_file s on s.uid = t.passenger_side_artwork_uid
      left join stored_file r on r.uid = t.rear_artwork_uid
     where t.program_uid = ${uid} and t.deleted_at is null and num_nonnulls(d.uid, s.uid, r.uid) > 0
     order by t.created_at, t.uid limit ${MOST_SETS}`.execute(db)
  return rows
}

const loadPlaces = (db: Db, uid: string): Promise<SdPlace[]> =>
  db
    .selectFrom('sd_address as a')
    .innerJoin('address_set as s', 's.uid', 'a.set_uid')
    .select(['a.label', 'a.address', 'a.latitude', 'a.longitude'])
    .where('s.program_uid', '=', uid)
    .where('s.deleted_at', 'is', null)
    .orderBy('s.created_at')
    .orderBy('s.uid')
    .orderBy('a.position')
    .orderBy('a.uid')
    .execute()

/** What a proposal of a program would say now. */
export async function loadFacts(db: Db, uid: string): Promise<ProgramFacts> {
  const program = await loadProgram(db, uid)
  const places = placesByMarket(program.markets, await loadPlaces(db, uid))
  return { ...program, artwork: await loadArtwork(db, uid), places }
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A hash by which two states of a program compare. Prices count only where a proposal shows them; the status never. */
export function hashFacts(facts: Omit<ProgramFacts, 'status'>, showsPrices: boolean): string {
  const lines = facts.lines.map(({ priceCents, market, unit, amount, startsOn, endsOn }) => [
    market.name,
    unit,
    amount,
    startsOn,
    endsOn,
    showsPrices ? priceCents : null,
  ])
  const markets = facts.markets.map(({ name, state, startsOn, endsOn }) => [name, state, startsOn, endsOn])
  const artwork = facts.artwork.map(({ name, sides: { driverSide, passengerSide, rear } }) => [
    name,
    driverSide?.sha256 ?? null,
    passengerSide?.sha256 ?? null,
    rear?.sha256 ?? null,
  ])
  const { client, program, startsOn, endsOn, places } = facts
  return hashText(JSON.stringify([client, program, startsOn, endsOn, markets, lines, artwork, places]))
}
