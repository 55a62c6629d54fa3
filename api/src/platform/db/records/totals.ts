import { type CompiledQuery, sql } from 'kysely'
import { type Db, prepared } from '../connection.ts'
import type { SqlFragment } from './fragments.ts'

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

// Reading stays cheap while few rows are summed; beyond that they are folded into one.
const FOLD_AT = 64

const foldChanges = (table: string) => sql`
  with folded as (
    delete from list_change where id in (
      select id from list_change where list = ${table} order by id limit 10000 for update skip locked
    ) returning delta
  )
  insert into list_change (list, delta) select ${table}, sum(delta) from folded having count(*) > 0`

/** Parses a stamp, and folds the list's changes in the background if there are many. */
export function readStamp(db: Db, table: string, stamp: string): TableState {
  const [total, , changes] = stamp.split('/')
  if (Number(changes) > FOLD_AT && !db.isTransaction) void fold(db, table)
  return { total: Number(total), stamp }
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

/** Keeps the thousand entries that were used last. */
class RecentlyUsed<V> {
  readonly #entries = new Map<string, V>()

  get(key: string): V | undefined {
    const found = this.#entries.get(key)
    if (found !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, found)
    }
    return found
  }

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > 1000) this.#entries.delete(this.#entries.keys().next().value ?? '')
  }
}

const countedTotals = new RecentlyUsed<TableState>()

/** The exact number of rows that a filter selects, counted again only after a change of the table. */
export async function filteredTotal(db: Db, count: CompiledQuery<TableState>, stamp: string): Promise<number> {
  const key = JSON.stringify([count.sql, count.parameters])
  const known = countedTotals.get(key)
  if (known?.stamp === stamp) return known.total
  const { rows } = await db.executeQuery(count)
  const fresh = rows[0] as TableState
  countedTotals.set(key, fresh)
  return fresh.total
}

/** A row whose place in an order is known: a deep page starts there instead of skipping all rows before it. */
export interface Anchor {
  offset: number
  key: unknown
  uid: string
  /** The stamp of the table when the row had this place. */
  stamp: string
}

type Place = Omit<Anchor, 'stamp'>

const MAX_ANCHORS = 50
const anchors = new RecentlyUsed<{ stamp: string; known: Place[] }>()

/** The nearest known row at or before an offset. */
export function nearestAnchor(order: string, offset: number): Anchor | undefined {
  const entry = anchors.get(order)
  const before = entry?.known.filter((place) => place.offset <= offset) ?? []
  const nearest = before.reduce<Place | undefined>((best, a) => (best && best.offset > a.offset ? best : a), undefined)
  return nearest && entry && { ...nearest, stamp: entry.stamp }
}

export function rememberAnchor(order: string, stamp: string, place: Place): void {
  const entry = anchors.get(order)
  const known = entry?.stamp === stamp ? entry.known.filter((other) => other.offset !== place.offset) : []
  anchors.set(order, { stamp, known: [...known, place].slice(-MAX_ANCHORS) })
}

/** A stamp on its own, for a page without rows. */
export async function currentStamp(db: Db, column: SqlFragment): Promise<string> {
  const { rows } = await prepared(sql<{ stamp: string }>`select ${column} as stamp`).execute(db)
  return rows[0]?.stamp ?? ''
}
