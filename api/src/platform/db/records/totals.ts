import { type CompiledQuery, sql } from 'kysely'
import { type Db, prepared } from '../connection.ts'
import { coalesceCallsByKey } from '../../runtime/coalesce-calls.ts'
import { RecentlyUsed } from '../../runtime/recently-used.ts'
import type { SqlFragment } from './fragments.ts'
import { perDatabase } from './per-database.ts'

/**
 * The state of a list's table in one snapshot: its number of rows, and a stamp that differs after any change. Both come
 * from list_change (see 0001_platform.sql), so a total is exact without counting.
 */
export interface TableState {
  total: number
  stamp: string
}

/** A scalar for the select list of a page, so that the page and its stamp come from the same snapshot. */
export const stampColumn = (table: string): SqlFragment => sql`
  (select coalesce(sum(delta), 0) || '/' || coalesce(max(id), 0) || '/' || count(*)
     from list_change where list = ${sql.lit(table)})`

// Reading stays cheap while few rows are summed; beyond that all but the newest are folded into one. The newest tell
// remembered offsets what has moved.
const FOLD_AT = 64
const KEEP_NEWEST = 16
// More ids than this are of no use to a remembered offset.
const MAX_FOLDED = 200

const foldChanges = (table: string) => sql`
  with folded as (
    delete from list_change where id in (
      select id from list_change where list = ${table} order by id desc
       limit 10000 offset ${sql.lit(KEEP_NEWEST)} for update skip locked
    ) returning id, delta
  )
  insert into list_change (list, delta, folded)
  select ${table}, sum(delta), case when count(*) <= ${sql.lit(MAX_FOLDED)} then array_agg(id) end
    from folded having count(*) > 0`

/** Parses a stamp, and folds the list's changes in the background if there are many. */
export function readStamp(db: Db, table: string, stamp: string): TableState {
  const [total, , changes] = stamp.split('/')
  foldIfMany(db, table, Number(changes))
  return { total: Number(total), stamp }
}

export function foldIfMany(db: Db, table: string, changes: number): void {
  if (changes > FOLD_AT && !db.isTransaction) void fold(db, table)
}

const folding = new Set<string>()

async function fold(db: Db, table: string): Promise<void> {
  if (folding.has(table)) return
  folding.add(table)
  try {
    await foldChanges(table).execute(db)
  } catch {
    // Another node may have folded, or the database is unreachable; the next reader tries again.
  } finally {
    folding.delete(table)
  }
}

/** Folds lists that many changes were made to and that no one has read meanwhile. */
export async function foldLongLists(db: Db, signal: AbortSignal): Promise<void> {
  const long = await db
    .selectFrom('list_change')
    .select('list')
    .groupBy('list')
    .having(({ fn }) => fn.countAll(), '>', FOLD_AT)
    .execute()
  for (const { list } of long) {
    if (signal.aborted) return
    await foldChanges(list).execute(db)
  }
}

const countedTotals = perDatabase(() => new RecentlyUsed<TableState>(1000))
const counting = perDatabase(() => coalesceCallsByKey<TableState>())

async function countRows(db: Db, count: CompiledQuery<TableState>): Promise<TableState> {
  const { rows } = await db.executeQuery(count)
  return rows[0] as TableState
}

const keyOfCount = (count: CompiledQuery) => JSON.stringify([count.sql, count.parameters])

/** The exact number of rows that a filter selects at this moment, counted once for all callers. */
export const presentTotal = async (db: Db, count: CompiledQuery<TableState>): Promise<number> =>
  (await counting(db)(keyOfCount(count), () => countRows(db, count))).total

/** The exact number of rows that a filter selects, counted again only after a change of the table, once for all callers. */
export async function filteredTotal(db: Db, count: CompiledQuery<TableState>, stamp: string): Promise<number> {
  const key = keyOfCount(count)
  const known = countedTotals(db).get(key)
  if (known?.stamp === stamp) return known.total
  const fresh = await counting(db)(key, () => countRows(db, count))
  countedTotals(db).set(key, fresh)
  return fresh.total
}

/** A stamp on its own, for a page without rows. */
export async function currentStamp(db: Db, column: SqlFragment): Promise<string> {
  const { rows } = await prepared(sql<{ stamp: string }>`select ${column} as stamp`).execute(db)
  return rows[0]?.stamp ?? ''
}
