import { type Page, type PopGrade, type PopPhoto, pops, type PublicPhoto, type QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { includeIf, type SqlFragment, uidAndName } from '../../platform/db/records/fragments.ts'
import { records } from '../../platform/db/records/records.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { longLivedUrl } from '../../platform/files/index.ts'
import type { PictureFacts, PictureSize } from './pictures.ts'

type Query = QueryOf<typeof pops.photos> & { day?: string | undefined; waiting?: true }

/** The path of a picture, which its signature covers. */
export const picturePath = (key: string, size: PictureSize): string =>
  pops.picture.path.replace('{key}', key).replace('{size}', size)

export const pictureAddress = (key: string, size: PictureSize) => longLivedUrl(picturePath(key, size))

/** The addresses of a photo in all its sizes. */
export const pictureAddresses = (key: string): PopPhoto['urls'] => ({
  small: pictureAddress(key, 'small'),
  medium: pictureAddress(key, 'medium'),
  large: pictureAddress(key, 'large'),
})

/** Drivers see photos that they took, clients approved photos of their programs. */
const ownPhotos = ({ role, uid, clientUid }: Actor): SqlFragment =>
  role === 'client'
    ? sql`t.status = 'approved'
        and t.program_uid in (select uid from client_program where client_uid = ${clientUid} and deleted_at is null)`
    : sql`t.taken_by = ${uid}`

/** When it was taken, otherwise when it arrived. A camera whose clock is ahead does not stay on top of the newest. */
const WHEN = sql`least(coalesce(t.taken_at, t.created_at), t.created_at)`

export const photoRecords = records<'pop_photo', PopPhoto, Query>({
  table: 'pop_photo',
  noun: 'photo',
  joins: sql`join client_program p on p.uid = t.program_uid
          left join market m on m.uid = t.market_uid
          left join truck tr on tr.uid = t.truck_uid
          left join shift s on s.uid = t.shift_uid
          left join user_account u on u.uid = t.taken_by
          left join user_account b on b.uid = t.changed_by`,
  columns: {
    uid: sql`t.uid`,
    program: uidAndName('p'),
    market: uidAndName('m'),
    truck: uidAndName('tr', 'number'),
    shift: sql`case when s.uid is not null then json_build_object('uid', s.uid, 'date', s.local_date,
              'start', to_char(s.start_time, 'HH24:MI'), 'end', to_char(s.end_time, 'HH24:MI'), 'zone', s.zone) end`,
    takenBy: uidAndName('u'),
    name: sql`t.original_name`,
    urls: sql`json_build_object('small', t.key, 'medium', t.key, 'large', t.key)`,
    width: sql`(t.sizes -> 'large' ->> 'width')::int`,
    height: sql`(t.sizes -> 'large' ->> 'height')::int`,
    blur: sql`t.blur`,
    takenAt: sql`t.taken_at`,
    zone: sql`coalesce(s.zone, zone_at(m.zone, m.earlier_zones, t.taken_at), m.zone)`,
    timeSource: sql`t.time_source`,
    phoneTakenAt: sql`case when t.phone_taken_at <> t.taken_at then t.phone_taken_at end`,
    latitude: sql`t.latitude`,
    longitude: sql`t.longitude`,
    placeSource: sql`t.place_source`,
    accuracyM: sql`t.accuracy_m`,
    side: sql`t.side`,
    caption: sql`t.caption`,
    status: sql`t.status`,
    rejection: sql`case when t.status = 'hidden' then t.rejection else '' end`,
    grade: sql`t.grade`,
    reason: sql`t.reason`,
    changedBy: uidAndName('b'),
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { position: sql`t.position`, takenAt: WHEN, createdAt: sql`t.created_at` },
  filters: {
    program: (program) => sql`t.program_uid = any(${program})`,
    market: (market) => sql`t.market_uid = any(${market})`,
    shift: (shift) => sql`t.shift_uid = any(${shift})`,
    status: (status) => sql`t.status = any(${status})`,
    grade: (grade) => sql`t.grade = any(${grade})`,
    // In these words an index knows them.
    waiting: () => sql`t.status = 'waiting'`,
    // The local day of the market, and today there.
    day: (day) => sql`(select (${WHEN} at time zone z.zone)::date
                              = case when ${day}::text = 'today' then (now() at time zone z.zone)::date else ${day}::text::date end
                         from (select coalesce((select zone_at(zone, earlier_zones, ${WHEN}) from market
                                                 where uid = t.market_uid), 'UTC') as zone) z)`,
  },
  own: ownPhotos,
  finish: (photo) => ({ ...photo, urls: pictureAddresses(photo.urls.large) }),
})

/** Clients do not see who drove, and neither they nor drivers who in the office changed a photo. */
export function redactFor({ role }: Actor) {
  return (photo: PopPhoto): PopPhoto => {
    if (role === 'client') return { ...photo, takenBy: null, shift: null, changedBy: null }
    return role === 'driver' ? { ...photo, changedBy: null } : photo
  }
}

/** A page of photos as its reader may see them. */
export async function pageOfPhotos(db: Db, scope: Scope, query: Query): Promise<Page<PopPhoto>> {
  const found = await photoRecords.page(db, scope, query)
  return { ...found, data: found.data.map(redactFor(scope.actor)) }
}

/** Photos, by default the newest first: those taken last, and of the same moment those that arrived last. */
export const newestPhotos = (db: Db, scope: Scope, query: QueryOf<typeof pops.newest>): Promise<Page<PopPhoto>> =>
  pageOfPhotos(db, scope, { ...query, sort: query.sort ?? '-takenAt' })

/** The first photos of each program, at most `most`, in the order of the page. */
export async function firstPhotos(
  db: Db,
  scope: Scope,
  programUids: readonly string[],
  most: number,
): Promise<PopPhoto[]> {
  const own = includeIf(scope.rows === 'own', () => sql` and ${ownPhotos(scope.actor)}`)
  const { rows } = await sql<{ uid: string }>`
    select f.uid from unnest(${programUids}::uuid[]) p (uid) cross join lateral (
      select t.uid, t.position from pop_photo t where t.program_uid = p.uid and t.deleted_at is null${own}
       order by t.position, t.uid limit ${most}) f order by f.position, f.uid`.execute(db)
  const uids = rows.map(({ uid }) => uid)
  const found = await photoRecords.findMany(db, scope, uids)
  return found.flatMap((photo) => (photo ? [redactFor(scope.actor)(photo)] : []))
}

/** A photo as its program shows it. */
export interface ShownPhoto {
  key: string
  sizes: Record<PictureSize, PictureFacts>
  blur: string
  caption: string
  takenAt: string | null
  grade: PopGrade
  reason: string
}

/** A photo as public pages show it. Hashes of documents cover the order of its fields. */
export function toPublicPhoto({ key, sizes, blur, caption, takenAt, grade, reason }: ShownPhoto): PublicPhoto {
  const { small, medium, large } = sizes
  const widths = { small: small.width, medium: medium.width, large: large.width }
  const picture = { key, width: large.width, height: large.height, sha256: large.sha256 }
  return { ...picture, widths, blur, caption, takenAt, grade, reason }
}

export interface ApprovedPhoto extends ShownPhoto {
  programUid: string
  uid: string
  market: string | null
  zone: string | null
  /** How many approved photos the program has. */
  total: number
}

/** The newest approved photos of each program, at most `most`. */
export async function newestApproved(db: Db, programUids: readonly string[], most: number): Promise<ApprovedPhoto[]> {
  const { rows } = await sql<ApprovedPhoto>`
    select p.uid as "programUid", f.* from unnest(${programUids}::uuid[]) p (uid) cross join lateral (
      select t.uid, t.key, t.sizes, t.blur, t.caption, t.grade, t.reason, m.name as market,
             coalesce(s.zone, zone_at(m.zone, m.earlier_zones, t.taken_at), m.zone) as zone, t.taken_at as "takenAt", (count(*) over ())::int as total
        from pop_photo t left join market m on m.uid = t.market_uid left join shift s on s.uid = t.shift_uid
       where t.program_uid = p.uid and t.status = 'approved' and t.deleted_at is null
       order by ${WHEN} desc, t.uid desc limit ${most}) f`.execute(db)
  return rows
}

/** Whether a picture is one of an approved photo of the program. */
export async function isApprovedPicture(db: Db, programUid: string, key: string): Promise<boolean> {
  const photos = db.selectFrom('pop_photo').select('uid').where('program_uid', '=', programUid).where('key', '=', key)
  const approved = photos.where('status', '=', 'approved').where('deleted_at', 'is', null)
  return (await approved.executeTakeFirst()) !== undefined
}

const NAMED_PHOTOS = 12

/** The approved photos of a program that no market shows: how many, and the first of them. */
export async function approvedWithoutMarket(db: Db, programUid: string) {
  const { rows } = await sql<{ uid: string; name: string; key: string; count: number }>`
    select t.uid, t.original_name as name, t.key, count(*) over () as count from pop_photo t
     where t.program_uid = ${programUid} and t.market_uid is null and t.status = 'approved' and t.deleted_at is null
     order by t.position, t.uid limit ${NAMED_PHOTOS}`.execute(db)
  return {
    count: rows[0]?.count ?? 0,
    first: rows.map(({ uid, name, key }) => ({ uid, name, url: pictureAddress(key, 'small') })),
  }
}
