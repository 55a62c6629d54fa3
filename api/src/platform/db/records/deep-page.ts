import { sql } from 'kysely'
import { coalesceCallsByKey } from '../../runtime/coalesce-calls.ts'
import { RecentlyUsed } from '../../runtime/recently-used.ts'
import { type Db, prepared } from '../connection.ts'
import { type ListCall, type ListQuery, presentRows, type RecordKind, type SortOrder } from './declaration.ts'
import { compileFragment, type SqlFragment } from './fragments.ts'
import { perDatabase } from './per-database.ts'
import type { ValueOf } from './statement-cache.ts'
import { foldIfMany } from './totals.ts'

/**
 * An offset in an order of rows: how many rows came before (key, uid) when the changes in `seen` had happened. Rows that
 * have moved since are counted from list_change, so an offset outlives writes (see 0030_list_places.sql).
 */
interface KnownOffset {
  key: unknown
  uid: string
  offset: number
  /** The ids of list_change in the snapshot of the offset, as PostgreSQL writes an array. */
  seen: string
}

/** What the statement of a page says about the offset it started from. */
interface KnownOffsetCheck {
  /** How many rows are between the offset and the page now. */
  $skip: number
  /** Whether all changes since are known. */
  $holds: boolean
  $seen: string
  $total: number
}

/** All pages that start within so many rows share an offset. */
const STRETCH = 256
/** An offset is found so far ahead of its pages: as many rows may come or go before it. */
const MARGIN = 128
/** How far behind its offset a page may start. */
const REACH = STRETCH + 2 * MARGIN

/** A remembered offset may be outdated, and so may be one that was just found: after that all rows are skipped. */
const ATTEMPTS = 3

const knownOffsets = perDatabase(() => new RecentlyUsed<KnownOffset | undefined>(5000))
const finding = perDatabase(() => coalesceCallsByKey<KnownOffset | undefined>())

/**
 * A deep page of all rows of a list, read from a remembered offset. Undefined if the order has no offsets, or the page is
 * past the end of the list.
 */
export async function readDeepPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: ListCall<ListQuery>,
): Promise<{ data: Row[]; total: number } | undefined> {
  const { db, query } = call
  const by = kind.orderOf(query.sort)
  if (by.ownColumn === undefined) return undefined
  const offset = (query.page - 1) * query.pageSize
  const ahead = offset - (offset % STRETCH) - MARGIN
  const name = `${kind.table} ${by.name} ${ahead}`
  const find = async () => {
    const found = knownOffsets(db).get(name) ?? (await skipTo(db, kind.table, by, ahead))
    knownOffsets(db).set(name, found)
    return found
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await finding(db)(name, find)
    const rows = known ? await readRows(kind, call, known) : []
    const [first] = rows
    if (!known || !first) return undefined
    const { $skip, $holds, $seen, $total } = first
    if ($holds && $skip >= 0 && $skip <= REACH) {
      knownOffsets(db).set(name, { ...known, offset: offset - $skip, seen: $seen })
      foldIfMany(db, kind.table, $seen.split(',').length)
      return { data: await presentRows(kind, call, rows.map(recordOf<Row>)), total: $total }
    }
    // Another caller may have found a new one meanwhile.
    if (knownOffsets(db).get(name)?.uid === known.uid) knownOffsets(db).set(name, undefined)
  }
  return undefined
}

function recordOf<Row extends object>(row: Row & KnownOffsetCheck): Row {
  const { $skip: _skip, $holds: _holds, $seen: _seen, $total: _total, ...record } = row
  return record as unknown as Row
}

/** Finds an offset by skipping all rows before it. A page that starts from it compares it with its own snapshot. */
async function skipTo(db: Db, table: string, by: SortOrder, offset: number): Promise<KnownOffset | undefined> {
  // Only indexed columns: rows that are skipped need not be read. Planned with the number of rows to skip.
  const statement = sql`
    select ${by.column} as key, t.uid,
           (select coalesce(array_agg(id), '{}') from list_change where list = ${sql.lit(table)})::text as seen
      from ${sql.table(table)} t where t.deleted_at is null ${by.orderBy} limit 1 offset ${sql.lit(offset)}`
  const { rows } = await db.executeQuery<Omit<KnownOffset, 'offset'>>(compileFragment(statement))
  return rows[0] && { ...rows[0], offset }
}

async function readRows<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { db, query }: Pick<ListCall<ListQuery>, 'db' | 'query'>,
  { key, uid, seen, offset }: KnownOffset,
): Promise<(Row & KnownOffsetCheck)[]> {
  const { pageSize } = query
  const by = kind.orderOf(query.sort)
  const values = { $key: key, $uid: uid, $seen: seen, $skip: (query.page - 1) * pageSize - offset }
  const statement = kind.statements.compile<Row & KnownOffsetCheck>(`place/${pageSize}/${by.name}`, values, (valueOf) =>
    prepared(pageFromOffset(kind, by, pageSize, valueOf)),
  )
  const { rows } = await db.executeQuery(statement)
  return rows
}

/** The statement of a page that starts from an offset. Offset, page and total are compared in one snapshot. */
function pageFromOffset(
  kind: Pick<RecordKind<never, never>, 'table' | 'columns' | 'joins'>,
  by: SortOrder,
  pageSize: number,
  valueOf: ValueOf,
): SqlFragment {
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
