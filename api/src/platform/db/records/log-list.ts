import type { Page } from '@roadshow/contract'
import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import type { Db } from '../connection.ts'
import { likePattern, searchWords } from './fragments.ts'
import type { ListQuery } from './declaration.ts'
import type { Scope } from './scope.ts'

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

/**
 * The list of a log, newest first. Its entries are not records: they never change, belong to no user, and are counted
 * on each call.
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

  return {
    async page(db: Db, _scope: Scope, query: Query): Promise<Page<Entry>> {
      const { page, pageSize } = query
      const shown = await ordered(db, query)
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute()
      const { total } = await db
        .selectFrom(found(db, query).as('entry'))
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { data: shown.map(entryOf), page, pageSize, total }
    },
    async *stream(db: Db, _scope: Scope, query: Query): AsyncIterable<Entry> {
      for await (const row of ordered(db, query).stream(500)) yield entryOf(row)
    },
  }
}
