import { ANY_ADDRESS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { releaseLocksAfter, windowsOf } from '../../platform/db/partitions.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { AddressHour } from './address-hour-table.ts'
import { archivedWhere, findArchived, queryFiles } from './archive/read.ts'
import type { PlayWindow } from './archive/rules.ts'
import { inPlaySnapshot, type PlayStores } from './archive/stores.ts'
import { readKeptSince } from './kept-since.ts'
import { isAmong, matchesQuery, onDays, type PlayConditions } from './play-filter.ts'

/** Conditions on `play_address_hour r`, as far as it can tell. */
const countedFor = (query: PlayConditions): SqlFragment => {
  const { program, market, truck, address } = query
  return allOf([
    ...(program ? [isAmong(sql`r.program_uid`, program)] : []),
    ...(market ? [isAmong(sql`r.market_uid`, market)] : []),
    ...(truck ? [isAmong(sql`r.truck_uid`, truck)] : []),
    ...(address === undefined || address === ANY_ADDRESS ? [] : [sql`r.address_uid = ${address}`]),
    ...onDays(sql`r.day`, query),
  ])
}

/** How many plays for an SD address are only counted, because single plays of their time are no longer kept. */
export async function countOldAddressPlays(db: Db, query: PlayConditions): Promise<number> {
  const since = await readKeptSince(db)
  const { rows } = await sql<{ plays: number }>`
    select coalesce(sum(r.plays), 0)::int as plays from play_address_hour r
     where ${countedFor(query)} and r.hour < ${since}::timestamptz`.execute(db)
  return rows[0]?.plays ?? 0
}

/** The sums of an hour, in the words of PostgreSQL and of DuckDB. */
const SUMS = sql.raw(`count(*)::int as plays, sum(p.duration_ms)::float8 as duration_ms,
  (count(*) filter (where p.grade = 'verified'))::int as verified,
  (count(*) filter (where p.grade = 'conflict'))::int as conflict,
  (count(*) filter (where p.reason = 'noTrack'))::int as no_track`)

/** The hours in which trucks showed something for the address, within which its plays are found. */
async function windowOf(db: Db, query: PlayConditions, since: string): Promise<PlayWindow | undefined> {
  const { rows } = await sql<{ from: string | null; until: string | null }>`
    select min(r.hour) as "from", max(r.hour) + interval '1 hour' as until from play_address_hour r
     where ${countedFor(query)} and r.hour >= ${since}::timestamptz and r.plays > 0`.execute(db)
  const { from, until } = rows[0] ?? {}
  return from && until ? { from, until } : undefined
}

/** The plays between two hours that are in the database, by hour. Only the hours of trucks that showed something for the address are read. */
async function hoursWithin(db: Db, query: PlayConditions, from: string, until: string): Promise<AddressHour[]> {
  // Not prepared: with the outermost times known, the planner reads only their weeks.
  const { rows } = await sql<AddressHour>`
    with shown as materialized (
      select distinct r.truck_uid, r.hour from play_address_hour r
       where ${countedFor(query)} and r.hour >= ${from}::timestamptz and r.hour < ${until}::timestamptz and r.plays > 0
    )
    select (extract(epoch from s.hour) * 1000)::float8 as hour, p.truck_uid, p.shift_uid, p.program_uid, p.market_uid,
           p.day, p.side, ${SUMS}
      from shown s join play p on p.truck_uid = s.truck_uid and p.started_at >= s.hour
       and p.started_at < s.hour + interval '1 hour'
     where ${matchesQuery(query, 'p')} and p.started_at >= ${from}::timestamptz and p.started_at < ${until}::timestamptz
     group by s.hour, p.truck_uid, p.shift_uid, p.program_uid, p.market_uid, p.day, p.side`.execute(db)
  return rows
}

/** The same of any time. It begins and ends with an hour, and so does each window. */
async function hotHours(db: Db, query: PlayConditions, { from, until }: PlayWindow): Promise<AddressHour[]> {
  const found: AddressHour[] = []
  for (const window of windowsOf({ from: Date.parse(from), until: Date.parse(until) })) {
    const [first, end] = [new Date(window.from).toISOString(), new Date(window.until).toISOString()]
    found.push(...(await releaseLocksAfter(db, () => hoursWithin(db, query, first, end))))
  }
  return found
}

const HOUR_MS = 3_600_000

/** The archived plays by hour. */
async function archivedHours({ db, parquet }: PlayStores, query: PlayConditions, window: PlayWindow) {
  // The archive is asked for files by hours that know no addresses.
  const { address: _address, ...ofAny } = query
  const archived = await findArchived(db, ofAny, window)
  if (!archived) return []
  return queryFiles(
    parquet,
    archived.files,
    (plays) => sql<AddressHour>`
      select (epoch_us(p.started_at) // ${sql.lit(HOUR_MS * 1000)})::float8 * ${sql.lit(HOUR_MS)} as hour, p.truck_uid,
             p.shift_uid, p.program_uid, p.market_uid, p.day::varchar as day, p.side, ${SUMS}
        from (${plays}) p where ${archivedWhere(query, archived, window)} group by all`,
  )
}

/**
 * A query with the hours of its SD address, where it names one. They are summed from single plays, because `play_hour`
 * knows no addresses and `play_address_hour` neither sides, shifts nor grades. `stores` are those of the snapshot that the
 * plays are read from.
 */
export async function withAddressHours<Query extends PlayConditions>(stores: PlayStores, query: Query): Promise<Query> {
  if (query.address === undefined) return query
  const window = await windowOf(stores.db, query, await readKeptSince(stores.db))
  if (!window) return { ...query, addressHours: [] }
  const hot = await hotHours(stores.db, query, window)
  return { ...query, addressHours: [...hot, ...(await archivedHours(stores, query, window))] }
}

/** The same of a moment of its own. */
export async function withAddressSnapshot<Query extends PlayConditions>(
  stores: PlayStores,
  query: Query,
): Promise<Query> {
  if (query.address === undefined) return query
  return inPlaySnapshot(stores, (stores) => withAddressHours(stores, query))
}
