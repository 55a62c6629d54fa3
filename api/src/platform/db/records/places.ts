import { sql } from 'kysely'
import type { Db } from '../connection.ts'
import { RecentlyUsed } from '../../runtime/recently-used.ts'
import type { RecordKind, SortOrder } from './declaration.ts'
import { compileFragment, type SqlFragment } from './fragments.ts'
import { perDatabase } from './per-database.ts'

/**
 * A place in an order of rows: how many rows came before (key, uid) when the changes in `seen` had happened. Rows that
 * have moved since are counted from list_change, so a place outlives writes (see 0030_list_places.sql).
 */
export interface Place {
  key: unknown
  uid: string
  offset: number
  /** The ids of list_change in the snapshot of the offset, as PostgreSQL writes an array. */
  seen: string
}

/** How far behind its place a page may start. A place is remembered half as far ahead of its page, so both may move. */
export const REACH = 256

const MAX_PLACES = 50
const places = perDatabase(() => new RecentlyUsed<readonly Place[]>(1000))

/** A remembered place from which a page at the offset can be read. */
export const placeNear = (db: Db, order: string, offset: number): Place | undefined =>
  places(db)
    .get(order)
    ?.find((place) => place.offset <= offset && offset - place.offset <= REACH)

const isSame = (one: Place, other: Place) => one.uid === other.uid && one.key === other.key

/** Remembers a place, instead of what was known about the same row. */
export function rememberPlace(db: Db, order: string, place: Place): void {
  const others = (places(db).get(order) ?? []).filter((other) => !isSame(other, place))
  places(db).set(order, [...others, place].slice(-MAX_PLACES))
}

export function forgetPlace(db: Db, order: string, place: Place): void {
  places(db).set(
    order,
    (places(db).get(order) ?? []).filter((other) => !isSame(other, place)),
  )
}

const finding = perDatabase(() => new Map<string, Promise<Place | undefined>>())

interface Search {
  /** The name of the order. */
  order: string
  table: string
  by: SortOrder
  /** The first row of a page. */
  offset: number
}

/**
 * Finds a place ahead of a page by skipping all rows before it. Callers share a search that is under way: a place is
 * compared with the snapshot of each page that starts from it. Undefined if the list ends before.
 */
export function findPlace(db: Db, search: Search): Promise<Place | undefined> {
  const name = `${search.offset} ${search.order}`
  const running = finding(db).get(name)
  if (running) return running
  const found = skipTo(db, search).finally(() => finding(db).delete(name))
  finding(db).set(name, found)
  return found
}

async function skipTo(db: Db, { order, table, by, offset }: Search): Promise<Place | undefined> {
  const ahead = offset - REACH / 2
  // Only indexed columns: rows that are skipped need not be read. Planned with the number of rows to skip.
  const statement = sql`
    select ${by.column} as key, t.uid,
           (select coalesce(array_agg(id), '{}') from list_change where list = ${sql.lit(table)})::text as seen
      from ${sql.table(table)} t where t.deleted_at is null ${by.orderBy} limit 1 offset ${sql.lit(ahead)}`
  const { rows } = await db.executeQuery<Omit<Place, 'offset'>>(compileFragment(statement))
  const place = rows[0] && { ...rows[0], offset: ahead }
  if (place) rememberPlace(db, order, place)
  return place
}

interface PageAtPlace {
  kind: Pick<RecordKind<never, never>, 'table' | 'columns' | 'joins'>
  by: SortOrder
  pageSize: number
  valueOf: (name: '$key' | '$uid' | '$seen' | '$skip') => unknown
}

/** What the statement of a page says about the place it started from. */
export interface PlaceCheck {
  /** How many rows are between the place and the page now. */
  $skip: number
  /** Whether all changes since are known. */
  $holds: boolean
  $seen: string
  $total: number
}

/** The statement of a page that starts from a place. Place, page and total are compared in one snapshot. */
export function pageAtPlace({ kind, by, pageSize, valueOf }: PageAtPlace): SqlFragment {
  const table = sql.table(kind.table)
  const isReached = sql`(${by.column}, t.uid) ${by.comparison} (${valueOf('$key')}, ${valueOf('$uid')})`
  // A literal limit makes PostgreSQL walk the index; an offset that it cannot know would make it sort the table.
  const near = sql`select t.uid, ${by.column} as key from ${table} t where t.deleted_at is null and ${isReached}
    ${by.orderBy} limit ${sql.lit(REACH + pageSize)}`
  return sql`
    with changes as materialized (
      select id, delta, added, removed, folded from list_change where list = ${sql.lit(kind.table)}
    ), known as materialized (
      select ${valueOf('$seen')}::bigint[] as seen
    ), since as materialized (
      select c.* from changes c, known where c.id <> all(seen)
    ), moved as (
      select coalesce(sum(sign) filter (where not ${isReached}), 0) as rows,
             coalesce(bool_and(image ? ${sql.lit(by.ownColumn ?? '')}), true) as are_placed
        from since, lateral (values (1, added), (-1, removed)) side (sign, images),
             jsonb_array_elements(images) image, jsonb_populate_record(null::${table}, image) t
    ), place as materialized (
      select (${valueOf('$skip')}::int - moved.rows)::int as skip, are_placed
             and not exists (select from since where added is null and not coalesce(folded <@ seen, false))
             and seen <@ array(select id from changes union all select unnest(folded) from since) as holds
        from moved, known
    )
    select ${kind.columns}, (select skip from place) as "$skip", (select holds from place) as "$holds",
           (select coalesce(array_agg(id), '{}') from changes)::text as "$seen",
           (select coalesce(sum(delta), 0) from changes) as "$total"
      from (select t.* from ${table} t where t.uid = any(array(
              select t.uid from (${near}) t order by t.key ${by.direction}, t.uid ${by.direction}
               limit ${sql.lit(pageSize)} offset (select greatest(skip, 0) from place)))) t
           ${kind.joins} ${by.orderBy}`
}
