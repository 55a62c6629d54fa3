import { type Page, type PopPhoto, pops, type QueryOf } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type Piece, Values } from '../../platform/db/records/pieces.ts'
import { records } from '../../platform/db/records/records.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { longLivedUrl } from '../../platform/files/index.ts'
import type { PictureSize } from './pictures.ts'

type Query = QueryOf<typeof pops.photos> & { day?: string | undefined; uid?: readonly string[] | undefined }

/** The path of a picture, which its address is signed for. */
export const picturePath = (key: string, size: PictureSize): string =>
  pops.picture.path.replace('{key}', key).replace('{size}', size)

export const pictureAddress = (key: string, size: PictureSize) => longLivedUrl(picturePath(key, size))

/** Photos that a driver took, or that are shown of a client's programs. */
const ownPhotos = ({ role, uid, clientUid }: Actor): Piece =>
  role === 'client'
    ? [
        `t.status = 'approved' and t.program_uid in (select uid from client_program where client_uid = ? and deleted_at is null)`,
        clientUid,
      ]
    : ['t.taken_by = ?', uid]

const named = (alias: string, name = 'name') =>
  `case when ${alias}.uid is not null then json_build_object('uid', ${alias}.uid, 'name', ${alias}.${name}) end`

/** When it was taken, or at least sent. */
const WHEN = 'coalesce(t.taken_at, t.created_at)'

export const photoRecords = records<'pop_photo', PopPhoto, Query>({
  table: 'pop_photo',
  noun: 'photo',
  joins: `join client_program p on p.uid = t.program_uid
          left join market m on m.uid = t.market_uid
          left join truck tr on tr.uid = t.truck_uid
          left join shift s on s.uid = t.shift_uid
          left join user_account u on u.uid = t.taken_by`,
  columns: {
    uid: 't.uid',
    program: named('p'),
    market: named('m'),
    truck: named('tr', 'number'),
    shift: `case when s.uid is not null then json_build_object('uid', s.uid, 'date', s.local_date,
              'start', to_char(s.start_time, 'HH24:MI'), 'end', to_char(s.end_time, 'HH24:MI'), 'zone', s.zone) end`,
    takenBy: named('u'),
    name: 't.original_name',
    urls: `json_build_object('small', t.key, 'medium', t.key, 'large', t.key)`,
    width: `(t.sizes -> 'large' ->> 'width')::int`,
    height: `(t.sizes -> 'large' ->> 'height')::int`,
    blur: 't.blur',
    takenAt: 't.taken_at',
    zone: 'coalesce(s.zone, m.zone)',
    timeSource: 't.time_source',
    latitude: 't.latitude',
    longitude: 't.longitude',
    placeSource: 't.place_source',
    caption: 't.caption',
    status: 't.status',
    grade: 't.grade',
    reason: 't.reason',
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { position: 't.position', takenAt: WHEN, createdAt: 't.created_at' },
  filters: {
    program: 't.program_uid = any(?)',
    market: 't.market_uid = any(?)',
    shift: 't.shift_uid = any(?)',
    status: 't.status = any(?)',
    grade: 't.grade = any(?)',
    uid: 't.uid = any(?)',
    // As clocks in the market showed it.
    day: `(${WHEN} at time zone coalesce((select zone from market where uid = t.market_uid), 'UTC'))::date = ?`,
  },
  own: ownPhotos,
  finish: (photo) => ({
    ...photo,
    urls: {
      small: pictureAddress(photo.urls.small, 'small'),
      medium: pictureAddress(photo.urls.medium, 'medium'),
      large: pictureAddress(photo.urls.large, 'large'),
    },
  }),
})

/** A photo as its reader may see it: who drove is no business of a client's. */
export const redactFor =
  ({ role }: Actor) =>
  (photo: PopPhoto): PopPhoto =>
    role === 'client' ? { ...photo, takenBy: null, shift: null } : photo

/** Photos, the newest first unless another order is asked for. */
export async function newestPhotos(db: Db, scope: Scope, query: QueryOf<typeof pops.newest>): Promise<Page<PopPhoto>> {
  const found = await photoRecords.page(db, scope, { ...query, sort: query.sort ?? '-createdAt' })
  return { ...found, data: found.data.map(redactFor(scope.actor)) }
}

/** The first photos of each of these programs, as many as are asked for, in the order of the page. */
export async function firstPhotos(
  db: Db,
  scope: Scope,
  programUids: readonly string[],
  most: number,
): Promise<PopPhoto[]> {
  const values = new Values()
  const own = scope.rows === 'own' ? ` and ${values.bind(ownPhotos(scope.actor))}` : ''
  const statement = `
    select f.uid from unnest(${values.add(programUids)}::uuid[]) p (uid) cross join lateral (
      select t.uid from pop_photo t where t.program_uid = p.uid and t.deleted_at is null${own}
       order by t.position, t.uid limit ${values.add(most)}) f`
  const { rows } = await db.executeQuery<{ uid: string }>(CompiledQuery.raw(statement, values.list))
  const photos: PopPhoto[] = []
  const wanted = { uid: rows.map(({ uid }) => uid), sort: 'position', page: 1, pageSize: 1 } as const
  for await (const photo of photoRecords.stream(db, scope, wanted)) photos.push(redactFor(scope.actor)(photo))
  return photos
}
