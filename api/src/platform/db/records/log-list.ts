import type { Page } from '@roadshow/contract'
import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import type { Db } from '../connection.ts'
import { likePattern, searchWords } from './fragments.ts'
import type { ListQuery } from './declaration.ts'
import { perDatabase } from './per-database.ts'
import type { Scope } from './scope.ts'
import { RecentlyUsed } from '../../runtime/recently-used.ts'

/** The columns that order a log. */
interface LogRow {
  at: unknown
  uid: unknown
}

/** One log: the source of its rows, the searched text, and the shape of an entry. */
interface LogDeclaration<Tables, T extends keyof Tables, Row extends LogRow, Entry, Query> {
  /** The rows that the filters of a query select. */
  rows: (db: Db, query: Query) => SelectQueryBuilder<Tables, T, Row>
  /** The text that is searched. */
  searched: RawBuilder<string>
  entryOf: (row: Simplify<Row>) => Entry
}

/** How long a total holds for the pages behind the first one. */
const TOTAL_HOLDS_MS = 60_000
const REMEMBERED_TOTALS = 200

/** What a total depends on. */
const filtersOf = ({ page: _page, pageSize: _pageSize, sort: _sort, ...filters }: ListQuery) => JSON.stringify(filters)

/**
 * The list of a log, newest first. Its entries are not records: they never change and belong to no user. The first page
 * counts them, unless it shows them all; the pages after it use that total for a minute.
 */
export function logList<Tables, T extends keyof Tables, Row extends LogRow, Entry, Query extends ListQuery>({
  rows,
  searched,
  entryOf,
}: LogDeclaration<Tables, T, Row, Entry, Query>) {
  const found = (db: Db, query: Query) => {
    const words = searchWords(query.search)
    return words.reduce(
      (left, word) => left.where(sql<boolean>`${searched} ilike ${likePattern(word)}`),
      rows(db, query),
    )
  }

  const ordered = (db: Db, query: Query) => {
    const way = query.sort === 'at' ? 'asc' : 'desc'
    return found(db, query).orderBy(sql.ref('at'), way).orderBy(sql.ref('uid'), way)
  }

  const totals = perDatabase(() => new RecentlyUsed<{ total: number; until: number }>(REMEMBERED_TOTALS))

  async function totalOf(db: Db, query: Query, now: number): Promise<number> {
    const key = filtersOf(query)
    const known = query.page > 1 ? totals(db).get(key) : undefined
    if (known && known.until > now) return known.total
    const { total } = await db
      .selectFrom(found(db, query).as('entry'))
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    totals(db).set(key, { total, until: now + TOTAL_HOLDS_MS })
    return total
  }

  return {
    async page(db: Db, _scope: Scope, query: Query): Promise<Page<Entry>> {
      const { page, pageSize } = query
      const shown = await ordered(db, query)
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute()
      const until = shown.length === 0 ? 0 : (page - 1) * pageSize + shown.length
      const isLast = shown.length < pageSize && (shown.length > 0 || page === 1)
      // More may have come since the total was counted.
      const total = isLast ? until : Math.max(until, await totalOf(db, query, Date.now()))
      return { data: shown.map(entryOf), page, pageSize, total }
    },
    async *stream(db: Db, _scope: Scope, query: Query): AsyncIterable<Entry> {
      for await (const row of ordered(db, query).stream(500)) yield entryOf(row)
    },
  }
}
