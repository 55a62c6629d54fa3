import type { Pop, PopRow, pops, QueryOf } from '@roadshow/contract'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Piece } from '../../../platform/db/records/pieces.ts'
import { type Declaration, records } from '../../../platform/db/records/records.ts'
import type { Actor, Scope } from '../../../platform/db/records/scope.ts'
import { popMarketsSql } from '../publication/markets.ts'
import { metresOf, playsOf } from '../publication/figures.ts'
import { popRows } from '../publication/pop-rows.ts'

type Query = QueryOf<typeof pops.list>

/** What the public sees of the POP `o`. Its last day is one of UTC. */
const STATE = `case when o.shown_version is not null
    then case when o.ends_on < current_date then 'ended' else 'published' end
    else case when v.number is not null then 'withdrawn' else 'unpublished' end end`

/** The programs of a client's users, or those that a driver has shifts of. */
const ownPrograms = ({ role, uid, clientUid }: Actor): Piece =>
  role === 'client'
    ? ['t.client_uid = ?', clientUid]
    : ['t.uid in (select program_uid from shift where driver_uid = ? and deleted_at is null)', uid]

const photosOf = (condition: string) =>
  `(select count(*)::int from pop_photo f where f.program_uid = t.uid and f.deleted_at is null${condition})`
const WAITING = photosOf(` and f.status = 'waiting'`)

/** Programs seen as what is shown of them: their names are searched, and there are as many. */
const declared = {
  table: 'client_program',
  noun: 'POP',
  joins: `join client c on c.uid = t.client_uid
          join pop o on o.uid = t.uid
          left join lateral (select number, published_at from pop_version where program_uid = t.uid
                              order by number desc limit 1) v on true`,
  columns: {
    uid: 't.uid',
    name: 't.name',
    client: `json_build_object('uid', c.uid, 'name', c.name)`,
    startsOn: 't.starts_on',
    endsOn: 't.ends_on',
    popUrl: 't.pop_url',
    state: `(${STATE})`,
    shownVersion: 'o.shown_version',
    publishedAt: 'v.published_at',
    shownUntil: 'o.ends_on',
    photos: photosOf(''),
    photosWaiting: WAITING,
    metres: metresOf('t.uid'),
    plays: playsOf('t.uid'),
    views: '(select coalesce(sum(w.views), 0)::int from pop_view w where w.program_uid = t.uid)',
    updatedAt: 'o.updated_at',
    version: 'o.version',
  },
  sorts: { name: 't.name', startsOn: 't.starts_on', endsOn: 't.ends_on', updatedAt: 'o.updated_at' },
  filters: {
    client: 't.client_uid = any(?)',
    state: `(${STATE}) = any(?)`,
    waiting: `(? = 'yes' and ${WAITING} > 0)`,
    uid: 't.uid = any(?)',
  },
  own: ownPrograms,
} as const satisfies Declaration<'client_program', PopRow, Query>

// Clients see what is theirs to see: photos that nobody approved are not. Views are none of a driver's business.
const columnsFor = {
  staff: declared.columns,
  client: { ...declared.columns, photos: photosOf(` and f.status = 'approved'`), photosWaiting: '0' },
  driver: { ...declared.columns, views: '0' },
}
type Reader = keyof typeof columnsFor

const markets = (photos: string) => `coalesce((
  select json_agg(json_build_object('market', json_build_object('uid', m.uid, 'name', m.name), 'headline', m.headline,
                  'text', m.text, 'startsOn', m.starts_on, 'endsOn', m.ends_on, 'isShown', m.is_shown,
                  'photos', ${photos}) order by m.place)
    from ${popMarketsSql('t.uid')} m), '[]')`

function recordsFor(reader: Reader) {
  const list = { ...declared, columns: columnsFor[reader] }
  const ofMarket =
    reader === 'client' ? ` and f.status = 'approved' and f.market_uid = m.uid` : ' and f.market_uid = m.uid'
  return {
    list: records<'client_program', PopRow, Query>(list),
    whole: records<'client_program', Pop, Query>({
      ...list,
      columns: {
        ...list.columns,
        headline: 'o.headline',
        text: 'o.text',
        coverPhotoUid: 'o.cover_photo_uid',
        markets: markets(photosOf(ofMarket)),
      },
    }),
  }
}

const readers = { staff: recordsFor('staff'), client: recordsFor('client'), driver: recordsFor('driver') }

const readerOf = ({ rows, actor }: Scope): Reader =>
  rows === 'all' ? 'staff' : actor.role === 'client' ? 'client' : 'driver'

/** The list of POPs as this reader may see it. */
export const popListFor = (scope: Scope) => readers[readerOf(scope)].list

/** The same with their text and their markets. */
export const popRecordsFor = (scope: Scope) => readers[readerOf(scope)].whole

export const loadPop = (db: Db, scope: Scope, uid: string): Promise<Pop> => popRecordsFor(scope).get(db, scope, uid)

/** Drivers add photos; what a program's others did for it is not for them. */
export function forbidDrivers(scope: Scope): void {
  if (readerOf(scope) === 'driver') throw new AppError('forbidden')
}

export const popHistory = {
  table: popRows.table,
  get: (db: Db, scope: Scope, uid: string) => popListFor(scope).get(db, scope, uid),
}
