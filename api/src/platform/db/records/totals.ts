import { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../connection.ts'

/**
 * What a list's table looked like in one snapshot: how many rows it had, and a mark that differs whenever anything in
 * it changed. Both come from list_change (see 0001_platform.sql), so a total is exact without counting.
 */
export interface Mark {
  total: number
  mark: string
}

/** A scalar for the select list of a page, so that the page and its mark come from the same snapshot. */
export const markColumn = (table: string) =>
  `(select coalesce(sum(delta), 0) || '/' || coalesce(max(id), 0) || '/' || count(*) from list_change where list = '${table}')`

// Reading stays cheap while few rows are summed; beyond that they are folded into one.
const FOLD_AT = 64

const FOLD = `
  with folded as (
    delete from list_change where id in (
      select id from list_change where list = $1 order by id limit 10000 for update skip locked
    ) returning delta
  )
  insert into list_change (list, delta) select $1, sum(delta) from folded having count(*) > 0`

/** Reads a mark, and folds the list's changes in the background when there are many. */
export function readMark(db: Db, table: string, text: string): Mark {
  const [total, , changes] = text.split('/')
  if (Number(changes) > FOLD_AT && !db.isTransaction) void fold(db, table)
  return { total: Number(total), mark: text }
}

const folding = new Set<string>()

async function fold(db: Db, table: string): Promise<void> {
  if (folding.has(table)) return
  folding.add(table)
  try {
    await db.executeQuery(CompiledQuery.raw(FOLD, [table]))
  } catch {
    // Another node may have folded, or the database is away; the next reader tries again.
  } finally {
    folding.delete(table)
  }
}

/** Keeps the newest entries; the oldest goes when it is full. */
class Recent<V> {
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

const counted = new Recent<Mark>()

/** The exact number of rows that a filter leaves, counted again only when the table changed since. */
export async function filteredTotal(db: Db, table: string, where: string, values: unknown[], mark: string) {
  const key = JSON.stringify([table, where, values])
  const known = counted.get(key)
  if (known?.mark === mark) return known.total
  const statement = `select count(*) as total, ${markColumn(table)} as mark from ${where}`
  const { rows } = await db.executeQuery<Mark>(CompiledQuery.raw(statement, values))
  const fresh = rows[0] as Mark
  counted.set(key, fresh)
  return fresh.total
}

/** Where in an order a row stands, so that a deep page starts there instead of skipping everything before it. */
export interface Anchor {
  offset: number
  key: unknown
  uid: string
}

const MAX_ANCHORS = 50
const anchors = new Recent<{ mark: string; known: Anchor[] }>()

/** The nearest known row at or before an offset, with the mark under which it stood there. */
export function nearestAnchor(order: string, offset: number): (Anchor & { mark: string }) | undefined {
  const entry = anchors.get(order)
  const before = entry?.known.filter((anchor) => anchor.offset <= offset) ?? []
  const nearest = before.reduce<Anchor | undefined>((best, a) => (best && best.offset > a.offset ? best : a), undefined)
  return nearest && entry && { ...nearest, mark: entry.mark }
}

export function keepAnchor(order: string, mark: string, anchor: Anchor): void {
  const entry = anchors.get(order)
  const known = entry?.mark === mark ? entry.known.filter((other) => other.offset !== anchor.offset) : []
  anchors.set(order, { mark, known: [...known, anchor].slice(-MAX_ANCHORS) })
}

/** A mark on its own, for a page without rows. */
export async function currentMark(db: Db, table: string): Promise<string> {
  const { rows } = await db.executeQuery<{ mark: string }>(
    CompiledQuery.raw(prepared(`select ${markColumn(table)} as mark`), []),
  )
  return rows[0]?.mark ?? ''
}
