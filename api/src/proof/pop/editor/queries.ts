import type { Pop, PopRow, pops, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { isPopOver } from '../../../catalog/in-use/index.ts'
import { programText } from '../../../catalog/programs/index.ts'
import { includeIf, type SqlFragment, utcText } from '../../../platform/db/records/fragments.ts'
import { type Declaration, records } from '../../../platform/db/records/records.ts'
import type { Actor, Scope } from '../../../platform/db/records/scope.ts'
import { popMarketsOf } from '../publication/markets.ts'
import { playsOfPrograms } from '../../../live/plays/index.ts'
import { metersColumn, shiftCountsColumn } from '../publication/figures.ts'
import { popRows } from '../publication/pop-rows.ts'

/** `isSettled` asks for POPs without photos that wait. */
export type PopQuery = QueryOf<typeof pops.list> & { isSettled?: true }

/** The state of POP `o` for the public. */
const STATE = sql`case when o.shown_version is not null
    then case when ${isPopOver} then 'ended' else 'published' end
    else case when v.number is not null then 'withdrawn' else 'unpublished' end end`

/** Clients see their own programs, drivers the programs of their shifts. */
const ownPrograms = ({ role, uid, clientUid }: Actor): SqlFragment =>
  role === 'client'
    ? sql`t.client_uid = ${clientUid}`
    : sql`t.uid in (select program_uid from shift where driver_uid = ${uid} and deleted_at is null)`

const photosOf = (condition: SqlFragment) =>
  sql`(select count(*)::int from pop_photo f where f.program_uid = t.uid and f.deleted_at is null and ${condition})`
const WAITING = photosOf(sql`f.status = 'waiting'`)
/** Programs with photos that wait. Few do. */
const PROGRAMS_WAITING = sql`(select f.program_uid from pop_photo f where f.status = 'waiting' and f.deleted_at is null)`
const APPROVED = sql`f.status = 'approved'`

async function withPlays<Row extends PopRow>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const uids = rows.map(({ uid }) => uid)
  const plays = await playsOfPrograms(db, uids)
  return rows.map((row) => ({ ...row, plays: plays.get(row.uid) ?? 0 }))
}

/** Every program has a POP, so the list is one of programs and searches their names. */
const declared = {
  table: 'client_program',
  noun: 'POP',
  joins: sql`join client c on c.uid = t.client_uid
          join pop o on o.uid = t.uid
          left join lateral (select number, published_at, figures from pop_version where program_uid = t.uid
                              order by number desc limit 1) v on true`,
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    client: sql`json_build_object('uid', c.uid, 'name', c.name)`,
    startsOn: sql`t.starts_on`,
    endsOn: sql`t.ends_on`,
    popUrl: sql`t.pop_url`,
    state: sql`(${STATE})`,
    shownVersion: sql`o.shown_version`,
    publishedAt: sql`v.published_at`,
    shownUntil: sql`o.ends_on`,
    photos: photosOf(sql`true`),
    photosWaiting: WAITING,
    metres: metersColumn(sql`t.uid`),
    plays: sql`0`,
    shiftCounts: shiftCountsColumn(sql`t.uid`),
    newestVersion: sql`case when v.number is not null then json_build_object('number', v.number,
                  'publishedAt', ${utcText('v.published_at')}, 'metres', v.figures -> 'metres', 'plays', v.figures -> 'plays',
                  'photos', v.figures -> 'photos') end`,
    views: sql`(select coalesce(sum(w.views), 0)::int from pop_view w where w.program_uid = t.uid)`,
    updatedAt: sql`o.updated_at`,
    version: sql`o.version`,
  },
  sorts: {
    name: sql`t.name`,
    waiting: sql`(case when t.uid in ${PROGRAMS_WAITING} then '0' else '1' end || t.name)`,
    startsOn: sql`t.starts_on`,
    endsOn: sql`t.ends_on`,
    updatedAt: sql`o.updated_at`,
  },
  filters: {
    client: (client) => sql`t.client_uid = any(${client})`,
    state: (state) => sql`(${STATE}) = any(${state})`,
    waiting: (waiting) => sql`(${waiting} = 'yes' and t.uid in ${PROGRAMS_WAITING})`,
    uid: (uid) => sql`t.uid = any(${uid})`,
    isSettled: () => sql`t.uid not in ${PROGRAMS_WAITING}`,
  },
  unstampedFilters: ['state', 'waiting'],
  searchText: programText,
  own: ownPrograms,
  complete: withPlays,
} as const satisfies Declaration<'client_program', PopRow, PopQuery>

// Clients see only approved photos; drivers do not see views.
const columnsFor = {
  staff: declared.columns,
  client: { ...declared.columns, photos: photosOf(APPROVED), photosWaiting: sql`0` },
  driver: { ...declared.columns, views: sql`0` },
}
type Reader = keyof typeof columnsFor

const markets = (photos: SqlFragment) => sql`coalesce((
  select json_agg(json_build_object('market', json_build_object('uid', m.uid, 'name', m.name), 'headline', m.headline,
                  'text', m.text, 'startsOn', m.starts_on, 'endsOn', m.ends_on, 'isShown', m.is_shown,
                  'photos', ${photos}) order by m.place)
    from ${popMarketsOf(sql`t.uid`)} m), '[]')`

function recordsFor(reader: Reader) {
  // Clients do not learn which photos wait.
  const waiting = reader === 'client' ? declared.sorts.name : declared.sorts.waiting
  const list = { ...declared, columns: columnsFor[reader], sorts: { ...declared.sorts, waiting } }
  const ofMarket = sql`f.market_uid = m.uid${includeIf(reader === 'client', () => sql` and ${APPROVED}`)}`
  return {
    list: records<'client_program', PopRow, PopQuery>(list),
    whole: records<'client_program', Pop, PopQuery>({
      ...list,
      columns: {
        ...list.columns,
        headline: sql`o.headline`,
        text: sql`o.text`,
        coverPhotoUid: sql`o.cover_photo_uid`,
        passwordSetAt: sql`o.password_set_at`,
        markets: markets(photosOf(ofMarket)),
      },
    }),
  }
}

const readers = { staff: recordsFor('staff'), client: recordsFor('client'), driver: recordsFor('driver') }

const readerOf = ({ rows, actor }: Scope): Reader =>
  rows === 'all' ? 'staff' : actor.role === 'client' ? 'client' : 'driver'

/** The list of POPs for a reader. */
export const popListFor = (scope: Scope) => readers[readerOf(scope)].list

/** POPs with text and markets for a reader. */
export const popRecordsFor = (scope: Scope) => readers[readerOf(scope)].whole

export const loadPop = (db: Db, scope: Scope, uid: string): Promise<Pop> => popRecordsFor(scope).get(db, scope, uid)

export const popHistory = {
  table: popRows.table,
  outsiderColumns: popRows.outsiderColumns,
  getKeptOrDeleted: (db: Db, scope: Scope, uid: string) => popListFor(scope).getKeptOrDeleted(db, scope, uid),
}
