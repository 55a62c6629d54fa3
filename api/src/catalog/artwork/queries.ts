import {
  type ArtworkSet,
  type artworkSets,
  type PixelSides,
  type QueryOf,
  type TruckGroup,
  truckSides,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { uidAndName } from '../../platform/db/records/fragments.ts'
import { records } from '../../platform/db/records/records.ts'
import { searchText } from '../../platform/db/records/search-text.ts'
import { isProgramOf } from '../programs/index.ts'
import type { TruckForArtwork } from './rules.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'

/** What an approval is bound to, of the files d, s and r. Null as soon as one of the three is missing. */
const FILES_HASH = sql`encode(sha256(convert_to(d.sha256 || E'\\n' || s.sha256 || E'\\n' || r.sha256, 'UTF8')), 'hex')`

/** Sets t with their files d, s and r whose approval is of the files they have now. */
export const IS_APPROVED_SET = sql<boolean>`t.deleted_at is null and t.status = 'approved' and t.approved_hash = ${FILES_HASH}`

/** Whether players may show a set. */
export async function isArtworkApproved(db: Db, uid: string): Promise<boolean> {
  const found = await db
    .selectFrom('artwork_set as t')
    .innerJoin('stored_file as d', 'd.uid', 't.driver_side_artwork_uid')
    .innerJoin('stored_file as s', 's.uid', 't.passenger_side_artwork_uid')
    .innerJoin('stored_file as r', 'r.uid', 't.rear_artwork_uid')
    .select('t.uid')
    .where('t.uid', '=', uid)
    .where(IS_APPROVED_SET)
    .executeTakeFirst()
  return found !== undefined
}

type Query = QueryOf<typeof artworkSets.list> & { firstOf?: readonly string[] | undefined }

/** Outsiders do not search notes. */
const artworkText = searchText((t) => sql`${t}.name`)

export const artworkRecords = records<'artwork_set', ArtworkSet, Query>({
  table: 'artwork_set',
  joins: sql`left join client_program p on p.uid = t.program_uid left join client c on c.uid = p.client_uid
    left join stored_file d on d.uid = t.driver_side_artwork_uid
    left join stored_file s on s.uid = t.passenger_side_artwork_uid
    left join stored_file r on r.uid = t.rear_artwork_uid
    left join user_account u on u.uid = t.approved_by`,
  columns: {
    uid: sql`t.uid`,
    program: sql`json_build_object('uid', p.uid, 'name', p.name)`,
    client: sql`json_build_object('uid', c.uid, 'name', c.name)`,
    name: sql`t.name`,
    status: sql`t.status`,
    driverSideArtwork: fileColumn('d'),
    passengerSideArtwork: fileColumn('s'),
    rearArtwork: fileColumn('r'),
    filesHash: FILES_HASH,
    approvedHash: sql`t.approved_hash`,
    approvedBy: uidAndName('u'),
    approvedAt: sql`t.approved_at`,
    approvalReason: sql`t.approval_reason`,
    note: sql`t.note`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { name: sql`t.name`, status: sql`t.status`, updatedAt: sql`t.updated_at` },
  filters: {
    program: (program) => sql`t.program_uid = any(${program})`,
    client: (client) => sql`t.program_uid in (select uid from client_program where client_uid = any(${client}))`,
    status: (status) => sql`t.status = any(${status})`,
    // Of each of these programs the one that was made first.
    firstOf: (firstOf) => sql`t.uid in (select distinct on (program_uid) uid from artwork_set
                         where program_uid = any(${firstOf}) and deleted_at is null order by program_uid, created_at, uid)`,
  },
  searchText: artworkText,
  own: ({ clientUid }) => sql`t.program_uid in (select uid from client_program where client_uid = ${clientUid})`,
  owner: ({ clientUid }) => ({ column: 'program_uid', isOwn: (program) => isProgramOf(clientUid, program) }),
  staffOnly: { approvedBy: null, approvalReason: '' },
  taken: { artwork_name_once: ['artworkNameTaken', 'name'] },
  finish: (set) => ({
    ...set,
    driverSideArtwork: withSignedUrls(set.driverSideArtwork),
    passengerSideArtwork: withSignedUrls(set.passengerSideArtwork),
    rearArtwork: withSignedUrls(set.rearArtwork),
  }),
})

/** The first artwork set of each of these programs, by the program's uid. */
export async function firstArtworkSets(db: Db, scope: Scope, programUids: readonly string[]) {
  const sets = new Map<string, ArtworkSet>()
  for await (const set of artworkRecords.stream(db, scope, { firstOf: programUids, page: 1, pageSize: 1 })) {
    sets.set(set.program.uid, set)
  }
  return sets
}

// Enough to recognise a group by; a thousand trucks share a map.
const NUMBERS = 12

const panelsOf = (sides: PixelSides) =>
  Object.fromEntries(
    truckSides.map((side) => [side, { width: sides[side].width, height: sides[side].height }]),
  ) as NonNullable<TruckGroup['panels']>

/** The trucks that can roll, by pixel map. Users who see only their own rows get the count, not the numbers. */
export async function trucksByPixelMap(db: Db, { rows }: Scope): Promise<TruckGroup[]> {
  const groups = await db
    .selectFrom('truck as t')
    .leftJoin('pixel_map as m', 'm.uid', 't.pixel_map_uid')
    .select([
      'm.uid',
      'm.name',
      'm.sides',
      sql<number>`count(*)`.as('trucks'),
      sql<string[]>`(array_agg(t.number order by t.number))[1:${sql.lit(NUMBERS)}]`.as('numbers'),
    ])
    .where('t.deleted_at', 'is', null)
    .where('t.state', '<>', 'retired')
    .groupBy(['m.uid', 'm.name', 'm.sides'])
    .orderBy(sql`m.uid is null`)
    .orderBy('m.name')
    .execute()
  return groups.map(({ uid, name, sides, trucks, numbers }) => ({
    pixelMap: uid && name ? { uid, name } : null,
    panels: sides ? panelsOf(sides as unknown as PixelSides) : null,
    trucks,
    numbers: rows === 'all' ? numbers : [],
  }))
}

/** The LED trucks that artwork of a program is for: those with open shifts of it, or else every truck that can roll. */
export async function trucksForProgram(db: Db, programUid: string): Promise<TruckForArtwork[]> {
  const { rows } = await sql<TruckForArtwork & { isBooked: boolean }>`
    select t.number, m.sides as panels, exists (
             select 1 from shift s
              where s.truck_uid = t.uid and s.program_uid = ${programUid} and s.deleted_at is null
                and s.status in ('planned', 'out') and s.ends_at > now()) as "isBooked"
      from truck t left join pixel_map m on m.uid = t.pixel_map_uid
     where t.deleted_at is null and t.state <> 'retired' and t.kind = 'led'
     order by t.number`.execute(db)
  const booked = rows.filter(({ isBooked }) => isBooked)
  return (booked.length > 0 ? booked : rows).map(({ number, panels }) => ({ number, panels }))
}

/** The SD address sets whose places show an artwork set, by name. */
export const addressSetsShowing = async (db: Db, uid: string): Promise<string[]> =>
  (
    await db
      .selectFrom('sd_address as a')
      .innerJoin('address_set as s', 's.uid', 'a.set_uid')
      .select('s.name')
      .distinct()
      .where('a.artwork_set_uid', '=', uid)
      .where('s.deleted_at', 'is', null)
      .orderBy('s.name')
      .execute()
  ).map(({ name }) => name)
