import {
  type DriverData,
  type PixelSides,
  type PlayerData,
  type PlayerFile,
  type PlayerSet,
  truckSides,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { IS_APPROVED_SET } from '../../catalog/artwork/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { longLivedFileUrl } from '../../platform/files/index.ts'

/** Shifts that are running or start soon, without those that are over or do not take place. */
const UPCOMING = sql.raw(`s.deleted_at is null and s.status not in ('cancelled', 'noShow', 'completed')
  and s.ends_at > now() and s.starts_at < now() + interval '48 hours'`)

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

interface SetRow {
  uid: string
  name: string
  files: (Omit<PlayerFile, 'url' | 'side'> & { uid: string })[]
}

/** Artwork sets by uid; only those whose current files are approved. */
async function approvedSets(db: Db, uids: readonly string[]): Promise<Map<string, PlayerSet>> {
  const file = (alias: string) =>
    `json_build_object('uid', ${alias}.uid, 'sha256', ${alias}.sha256, 'contentType', ${alias}.content_type, ` +
    `'size', ${alias}.size_bytes, 'durationMs', ${alias}.duration_ms)`
  // In the order of truckSides.
  const files = sql.raw(`json_build_array(${['d', 's', 'r'].map(file).join(', ')})`)
  const { rows } = await sql<SetRow>`
    select t.uid, t.name, ${files} as files
      from artwork_set t
      join stored_file d on d.uid = t.driver_side_artwork_uid
      join stored_file s on s.uid = t.passenger_side_artwork_uid
      join stored_file r on r.uid = t.rear_artwork_uid
     where t.uid = any(${uids}) and ${IS_APPROVED_SET}`.execute(db)
  return new Map(rows.map((row) => [row.uid, setOf(row)]))
}

const setOf = ({ uid, name, files }: SetRow): PlayerSet => ({
  artworkSetUid: uid,
  name,
  files: truckSides.flatMap((side, index) => {
    const { uid: fileUid, ...file } = files[index] ?? {}
    return fileUid === undefined
      ? []
      : [{ side, ...(file as Omit<PlayerFile, 'url' | 'side'>), url: longLivedFileUrl(fileUid) }]
  }),
})

interface AddressRow {
  set_uid: string
  uid: string
  label: string
  latitude: number
  longitude: number
  radius_m: number
  artwork_set_uid: string | null
}

const addressesOf = async (db: Db, setUids: readonly string[]): Promise<AddressRow[]> =>
  setUids.length === 0
    ? []
    : (
        await sql<AddressRow>`
          select a.set_uid, a.uid, a.label, a.latitude, a.longitude, a.radius_m, a.artwork_set_uid
            from sd_address a join address_set t on t.uid = a.set_uid and t.deleted_at is null
           where a.set_uid = any(${setUids}) order by a.set_uid, a.position, a.uid`.execute(db)
      ).rows

const present = (uids: (string | null)[]) => [...new Set(uids.filter((uid) => uid !== null))]

type ShownShift = PlayerData['shifts'][number]

/** The artwork and addresses of the shifts that a condition selects, by time. */
async function shownShifts(db: Db, condition: RawBuilder<unknown>): Promise<ShownShift[]> {
  const { rows: shifts } = await sql<{
    uid: string
    program_uid: string
    starts_at: string
    ends_at: string
    artwork_set_uid: string | null
    address_set_uid: string | null
    spot_seconds: number | null
  }>`select s.uid, s.program_uid, s.starts_at, s.ends_at, s.artwork_set_uid, s.address_set_uid, p.spot_seconds
       from shift s join client_program p on p.uid = s.program_uid where ${condition} order by s.starts_at`.execute(db)
  const addresses = await addressesOf(db, present(shifts.map(({ address_set_uid }) => address_set_uid)))
  const wanted = present([...shifts, ...addresses].map(({ artwork_set_uid }) => artwork_set_uid))
  const sets = await approvedSets(db, wanted)
  const setFor = (setUid: string | null) => (setUid === null ? null : (sets.get(setUid) ?? null))
  return shifts.map((shift) => ({
    uid: shift.uid,
    programUid: shift.program_uid,
    startsAt: shift.starts_at,
    endsAt: shift.ends_at,
    spotMs: shift.spot_seconds === null ? null : shift.spot_seconds * 1000,
    artwork: setFor(shift.artwork_set_uid),
    addresses: addresses
      .filter(({ set_uid }) => set_uid === shift.address_set_uid)
      .map((address) => ({
        uid: address.uid,
        label: address.label,
        latitude: address.latitude,
        longitude: address.longitude,
        radiusM: address.radius_m,
        artwork: setFor(address.artwork_set_uid),
      })),
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

type DriverShiftRow = DriverData['shifts'][number]

/** The upcoming shifts of a truck, for its driver. */
export async function driverData(db: Db, truckUid: string): Promise<DriverData> {
  const { uid, number, plate } = await truckOf(db, truckUid)
  const { rows } = await sql<DriverShiftRow>`
    select s.uid, d.name as driver, c.name as client, p.name as program, m.name as market, s.zone,
           s.local_date as date, to_char(s.start_time, 'HH24:MI') as start, to_char(s.end_time, 'HH24:MI') as "end",
           s.starts_at as "startsAt", s.ends_at as "endsAt", s.status, a.name as "artworkSet", s.note,
           (select coalesce(json_agg(json_build_object('name', k ->> 'name', 'phone', k ->> 'phone')), '[]')
              from jsonb_array_elements(c.contacts) k where k ->> 'phone' <> '') as contacts
      from shift s
      join user_account d on d.uid = s.driver_uid
      join client_program p on p.uid = s.program_uid
      join client c on c.uid = p.client_uid
      join market m on m.uid = s.market_uid
      left join artwork_set a on a.uid = s.artwork_set_uid
     where s.truck_uid = ${truckUid} and ${UPCOMING} order by s.starts_at`.execute(db)
  return { truck: { uid, number, plate }, shifts: rows, serverTime: new Date(await sharedNow(db)).toISOString() }
}
