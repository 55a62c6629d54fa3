import type { Page, QueryOf, SdApproach, sdReport } from '@roadshow/contract'
import { sql } from 'kysely'
import { heldHours } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { groupsOfWindow } from '../../platform/db/partitions.ts'
import { utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { selectMissed, selectVisits } from './sd.ts'
import {
  type AddressPlay,
  addressPlayTable,
  archivedAddressPlays,
  inPlaySnapshot,
  type PlayStores,
  readMarketHours,
  requireProgram,
  truckMatches,
} from '../../live/plays/index.ts'

type Query = QueryOf<typeof sdReport.approaches>

// A small map shows no more points.
const MOST_POINTS = 200

/** A visit of the page, with what its plays and its track are found by. */
interface Visit extends Omit<SdApproach, 'plays' | 'seconds' | 'track' | 'isMissed'> {
  addressUid: string
  /** The hours in which the shift held its truck, as a multirange. */
  hours: string
}

/** Each visit to an address, with its plays and its piece of track. */
export async function loadApproaches(stores: PlayStores, scope: Scope, query: Query): Promise<Page<SdApproach>> {
  const { db } = stores
  await requireProgram(db, scope, query.program)
  // Answers 404 for a market that does not exist.
  await readMarketHours(db, query)
  const { page, pageSize } = query
  const { visits, total } = await readVisits(db, query)
  const data: SdApproach[] = []
  for (const some of groupsOfWindow(visits, ({ enteredAt }) => Date.parse(enteredAt))) {
    // Times of one form sort as text.
    const [first = ''] = some.map(({ since }) => since).toSorted()
    const ends = some.map(({ until }) => until).toSorted()
    const group = { visits: some, first, last: ends.at(-1) ?? '' }
    const { missed, plays } = await inPlaySnapshot(stores, (stores) => readPlays(stores, query, group))
    const tracks = await tracksOfVisits(db, group, scope)
    some.forEach(({ addressUid: _address, hours: _hours, ...visit }, index) =>
      data.push({
        ...visit,
        isMissed: missed.has(visitKey(visit)),
        ...(plays.get(index) ?? { plays: 0, seconds: 0 }),
        track: thin(tracks.get(index) ?? []).map(({ latitude, longitude, at }) => [latitude, longitude, at]),
      }),
    )
  }
  return { data, page, pageSize, total }
}

/** The conditions of a query on its visits. */
const visitConditions = (query: Query) =>
  sql`and ${sql.join([sql`a.address_uid = ${query.address}`, ...truckMatches(query.search, sql`s.truck_uid`)], sql` and `)}`

async function readVisits(db: Db, query: Query): Promise<{ visits: Visit[]; total: number }> {
  const { page, pageSize } = query
  const direction = sql.raw(query.sort === 'enteredAt' ? 'asc' : 'desc')
  const order = sql`order by v.entered_at ${direction}, v.shift_uid ${direction}`
  const { rows } = await sql<Visit & { $total: number }>`
    with visit as materialized (${selectVisits(query, visitConditions(query))}), paged as (
      select v.* from visit v ${order} limit ${sql.lit(pageSize)} offset ${sql.lit((page - 1) * pageSize)}
    )
    select n.total as "$total", v.* from (select count(*)::int as total from visit) n left join (
      select v.shift_uid || ' ' || ${utcText('v.entered_at')} as uid, json_build_object('uid', t.uid, 'name', t.number) as truck,
             v.shift_uid as "shiftUid", v.entered_at as "enteredAt", v.left_at as "leftAt", v.nearest_m as "nearestM",
             v.is_due as "isDue", v.address_uid as "addressUid", v.since, v.until, ${heldHours('s')}::text as hours
        from paged v join truck t on t.uid = v.truck_uid join shift s on s.uid = v.shift_uid) v on true
     order by v."enteredAt" ${direction}, v."shiftUid" ${direction}`.execute(db)
  const visits = rows.flatMap(({ $total: _total, ...visit }) => (visit.uid ? [visit] : []))
  return { visits, total: rows[0]?.$total ?? 0 }
}

/** Visits that one statement may read the plays and positions of, and the outermost times of these. */
interface VisitGroup {
  visits: readonly Visit[]
  first: string
  last: string
}

const visitKey = ({ shiftUid, enteredAt }: Pick<Visit, 'shiftUid' | 'enteredAt'>) => `${shiftUid} ${enteredAt}`

/** The plays of a group of visits, and which of these were missed. */
async function readPlays({ db, parquet }: PlayStores, query: Query, group: VisitGroup) {
  const window = { from: Date.parse(group.first), until: Date.parse(group.last) + 1 }
  const archived = await archivedAddressPlays(db, parquet, { ...query, ...window })
  return {
    missed: await missedOf(db, query, { ...window, archived }),
    plays: await playsOfVisits(db, group, archived),
  }
}

/** The keys of the visits of a window that were due and never shown. */
async function missedOf(db: Db, query: Query, window: Parameters<typeof selectMissed>[1]): Promise<Set<string>> {
  const { rows } = await sql<Pick<Visit, 'shiftUid' | 'enteredAt'>>`
    select shift_uid as "shiftUid", entered_at as "enteredAt"
      from (${selectMissed(query, window, visitConditions(query))}) v`.execute(db)
  return new Set(rows.map(visitKey))
}

const visitTable = (visits: readonly Visit[]) =>
  rowsAsTable(
    'g',
    visits,
    {
      truck_uid: ['uuid', ({ truck }) => truck.uid],
      shift_uid: ['uuid', ({ shiftUid }) => shiftUid],
      address_uid: ['uuid', ({ addressUid }) => addressUid],
      since: ['timestamptz', ({ since }) => since],
      until: ['timestamptz', ({ until }) => until],
      hours: ['text', ({ hours }) => hours],
    },
    { ordinality: 'n' },
  )

// Not prepared: with the outermost times known, the planner reads only their weeks.
const within = (column: string, { first, last }: VisitGroup) => sql`${sql.ref(column)} between ${first} and ${last}`

type VisitPlays = Pick<SdApproach, 'plays' | 'seconds'>

/** The plays of each visit by its place; those without are left out. */
async function playsOfVisits(
  db: Db,
  group: VisitGroup,
  archived: readonly AddressPlay[],
): Promise<Map<number, VisitPlays>> {
  const { rows } = await sql<VisitPlays & { n: number }>`
    with played as (
      select g.n, p.duration_ms
        from ${visitTable(group.visits)} join play p on p.truck_uid = g.truck_uid and p.shift_uid = g.shift_uid
         and p.address_uid = g.address_uid and p.started_at between g.since and g.until
       where ${within('p.started_at', group)}
      union all
      select g.n, x.duration_ms
        from ${visitTable(group.visits)} join ${addressPlayTable('x', archived)} on x.shift_uid = g.shift_uid
         and x.address_uid = g.address_uid and x.started_at between g.since and g.until
    )
    select n, count(*) as plays, floor(sum(duration_ms) / 1000)::bigint as seconds from played group by n`.execute(db)
  return new Map(rows.map(({ n, ...counts }) => [n - 1, counts]))
}

/** The positions of each visit with its margin, by its place. Clients see none of the margin outside of the shift. */
async function tracksOfVisits(db: Db, group: VisitGroup, scope: Scope) {
  const isOwn = scope.rows === 'own' ? sql`o.at <@ g.hours::tstzmultirange` : sql`true`
  const { rows } = await sql<{ n: number; latitude: number; longitude: number; at: string }>`
    select g.n, o.latitude, o.longitude, ${utcText('o.at')} as at
      from ${visitTable(group.visits)} join position o on o.truck_uid = g.truck_uid and o.at between g.since and g.until
     where ${within('o.at', group)} and ${isOwn} order by g.n, o.at`.execute(db)
  return groupBy(rows, ({ n }) => n - 1)
}

/** The ends of a track, and every so many points between them. */
function thin<T>(track: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(track.length / MOST_POINTS))
  return track.filter((_, index) => index === 0 || index === track.length - 1 || (index + 1) % step === 0)
}
