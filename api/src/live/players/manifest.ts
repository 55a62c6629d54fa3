import {
  type DriverData,
  type PixelSides,
  type PlayerData,
  type PlayerFile,
  type PlayerLoop,
  type PlayerSet,
  toLoopLine,
  type TruckSide,
} from '@roadshow/contract'
import { longestVideoMs } from '@roadshow/contract/planning/loop-lines'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { IS_APPROVED_SET } from '../../catalog/artwork/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { loadRotations, shownSets, type StoredLine } from '../../planning/rotation/index.ts'
import { heldHours } from '../../planning/shifts/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { longLivedFileUrl } from '../../platform/files/index.ts'

/** When the truck is no longer the shift's: one that is out runs over its planned end. Null if another shift has it already. */
const HELD_UNTIL = sql`case s.status when 'out' then upper(${heldHours('s')}) else s.ends_at end`

/** Shifts that are running or start soon, without those that are over or do not take place. */
export const UPCOMING = sql<boolean>`s.deleted_at is null and s.status in ('planned', 'out')
  and s.starts_at < now() + interval '48 hours' and s.ends_at > now() - interval '1 day' and ${HELD_UNTIL} > now()`

async function truckOf(db: Db, truckUid: string) {
  const truck = await db
    .selectFrom('truck as t')
    .leftJoin('pixel_map as m', (join) => join.onRef('m.uid', '=', 't.pixel_map_uid').on('m.deleted_at', 'is', null))
    .select(['t.uid', 't.number', 't.plate', 'm.width', 'm.height', 'm.sides'])
    .where('t.uid', '=', truckUid)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!truck) throw new AppError('notFound')
  return truck
}

/** A file of a set on one side of a truck. */
interface SideFile {
  uid: string
  hasThumbnail: boolean
  file: Omit<PlayerFile, 'url'>
}

const fileOf = (side: TruckSide, alias: string) =>
  sql.raw(`json_build_object('uid', ${alias}.uid, 'hasThumbnail', ${alias}.thumbnail_blob is not null,
    'file', json_build_object('side', '${side}', 'sha256', ${alias}.sha256, 'contentType', ${alias}.content_type,
                              'size', ${alias}.size_bytes, 'durationMs', ${alias}.duration_ms))`)

/** Artwork sets with their files; only those whose current files are approved. */
export async function loadApprovedSets(db: Db, uids: readonly string[]) {
  const { rows } = await sql<{ uid: string; name: string; files: SideFile[] }>`
    select t.uid, t.name,
           json_build_array(${fileOf('driverSide', 'd')}, ${fileOf('passengerSide', 's')}, ${fileOf('rear', 'r')}) as files
      from artwork_set t
      join stored_file d on d.uid = t.driver_side_artwork_uid
      join stored_file s on s.uid = t.passenger_side_artwork_uid
      join stored_file r on r.uid = t.rear_artwork_uid
     where t.uid = any(${uids}::uuid[]) and ${IS_APPROVED_SET}`.execute(db)
  return rows
}

/** Approved artwork sets as players get them, by uid. */
async function approvedSets(db: Db, uids: readonly string[]): Promise<Map<string, PlayerSet>> {
  const sets = (await loadApprovedSets(db, uids)).map(({ uid, name, files }) => ({
    artworkSetUid: uid,
    name,
    files: files.map((each) => ({ ...each.file, url: longLivedFileUrl(each.uid) })),
  }))
  return new Map(sets.map((set) => [set.artworkSetUid, set]))
}

const addressesOf = (db: Db, setUids: readonly string[]) =>
  db
    .selectFrom('sd_address as a')
    .innerJoin('address_set as t', (join) => join.onRef('t.uid', '=', 'a.set_uid').on('t.deleted_at', 'is', null))
    .select([
      'a.set_uid',
      'a.uid',
      'a.label',
      'a.latitude',
      'a.longitude',
      'a.radius_m as radiusM',
      'a.artwork_set_uid',
    ])
    .where('a.set_uid', '=', sql<string>`any(${setUids}::uuid[])`)
    .orderBy('a.set_uid')
    .orderBy('a.position')
    .orderBy('a.uid')
    .execute()

const present = (uids: (string | null)[]) => [...new Set(uids.filter((uid) => uid !== null))]

type ShownShift = PlayerData['shifts'][number]

type SetFor = (setUid: string | null) => PlayerSet | null

/** The set that a shift names, else the rotation of its program. */
function shownArtwork(
  setUid: string | null,
  { zone, lines }: { zone: string; lines: readonly StoredLine[] },
  setFor: SetFor,
): Pick<ShownShift, 'artwork' | 'loop'> {
  if (setUid !== null || lines.length === 0) return { artwork: setFor(setUid) }
  const loop: PlayerLoop = {
    zone,
    lines: lines.map((line) => ({
      ...toLoopLine({ ...line, spotMs: 0 }),
      programUid: line.programUid,
      // A set that is not approved has no files here and keeps the length of its turns.
      spotMs: line.programSpotMs ?? longestVideoMs(line),
      artwork: setFor(line.artworkSet.uid),
    })),
  }
  // Players that do not know loops show one set.
  return { artwork: loop.lines.find(({ artwork }) => artwork)?.artwork ?? null, loop }
}

/** The artwork and addresses of the shifts that a condition selects, by time. */
async function shownShifts(db: Db, condition: RawBuilder<unknown>): Promise<ShownShift[]> {
  const { rows: shifts } = await sql<
    Omit<ShownShift, 'artwork' | 'loop' | 'addresses'> & {
      zone: string
      artwork_set_uid: string | null
      address_set_uid: string | null
    }
  >`
    select s.uid, s.program_uid as "programUid", least(s.starts_at, lower(${heldHours('s')})) as "startsAt",
           ${HELD_UNTIL} as "endsAt", p.spot_seconds * 1000 as "spotMs", s.zone, s.artwork_set_uid, s.address_set_uid
      from shift s join client_program p on p.uid = s.program_uid where ${condition} order by s.starts_at`.execute(db)
  const addressSets = present(shifts.map(({ address_set_uid }) => address_set_uid))
  const addresses = addressSets.length > 0 ? await addressesOf(db, addressSets) : []
  const withoutSet = shifts.filter(({ artwork_set_uid }) => artwork_set_uid === null)
  const rotations = await loadRotations(db, [...new Set(withoutSet.map(({ programUid }) => programUid))])
  const inRotation = [...rotations.values()].flat().map(({ artworkSet }) => artworkSet.uid)
  const named = [...shifts, ...addresses].map(({ artwork_set_uid }) => artwork_set_uid)
  const sets = await approvedSets(db, present([...named, ...inRotation]))
  const setFor = (setUid: string | null) => (setUid === null ? null : (sets.get(setUid) ?? null))
  return shifts.map(({ artwork_set_uid: setUid, address_set_uid: addressSetUid, zone, ...shift }) => ({
    ...shift,
    ...shownArtwork(setUid, { zone, lines: rotations.get(shift.programUid) ?? [] }, setFor),
    addresses: addresses.flatMap(({ set_uid, artwork_set_uid, ...address }) =>
      set_uid === addressSetUid ? [{ ...address, artwork: setFor(artwork_set_uid) }] : [],
    ),
  }))
}

/** The artwork and addresses of these shifts, past ones included. */
export const artworkOfShifts = (db: Db, shiftUids: readonly string[]): Promise<ShownShift[]> =>
  shownShifts(db, sql`s.uid = any(${shiftUids})`)

/** The house artwork of the settings; null while it is not approved. */
async function fallbackSet(db: Db): Promise<PlayerSet | null> {
  const { fallbackArtworkUid: uid } = await readSettings(db)
  return uid === null ? null : ((await approvedSets(db, [uid])).get(uid) ?? null)
}

/** What a truck's player shows now and next. */
export async function playerData(db: Db, truckUid: string): Promise<PlayerData> {
  const { uid, number, width, height, sides } = await truckOf(db, truckUid)
  return {
    truck: { uid, number },
    pixelMap: width && height ? { width, height, sides: sides as unknown as PixelSides } : null,
    shifts: await shownShifts(db, sql`s.truck_uid = ${truckUid} and ${UPCOMING}`),
    fallback: await fallbackSet(db),
    serverTime: new Date(await sharedNow(db)).toISOString(),
  }
}

/** The name of the set of a shift, or those of its program's rotation. */
const SHOWN_NAMES = sql`(select string_agg(a.name, ', ' order by a.name) from artwork_set a where a.uid in ${shownSets('s')})`

type DriverShiftRow = DriverData['shifts'][number]

/** The upcoming shifts of a truck, for its driver. */
export async function driverData(db: Db, truckUid: string): Promise<DriverData> {
  const { uid, number, plate } = await truckOf(db, truckUid)
  const { rows } = await sql<DriverShiftRow>`
    select s.uid, d.name as driver, c.name as client, p.name as program, m.name as market, s.zone,
           s.local_date as date, to_char(s.start_time, 'HH24:MI') as start, to_char(s.end_time, 'HH24:MI') as "end",
           s.starts_at as "startsAt", s.ends_at as "endsAt", s.status, ${SHOWN_NAMES} as "artworkSet", s.note,
           (select coalesce(json_agg(json_build_object('name', k ->> 'name', 'phone', k ->> 'phone')), '[]')
              from jsonb_array_elements(c.contacts) k where k ->> 'phone' <> '') as contacts
      from shift s
      join user_account d on d.uid = s.driver_uid
      join client_program p on p.uid = s.program_uid
      join client c on c.uid = p.client_uid
      join market m on m.uid = s.market_uid
     where s.truck_uid = ${truckUid} and ${UPCOMING} order by s.starts_at`.execute(db)
  return { truck: { uid, number, plate }, shifts: rows, serverTime: new Date(await sharedNow(db)).toISOString() }
}
