import type { Page } from '@roadshow/contract'
import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import type { Db } from '../connection.ts'
import { likePattern, searchWords } from './fragments.ts'
import type { ListQuery } from './declaration.ts'
import type { Scope } from './scope.ts'

/** By which the rows of a log are ordered. */
interface Logged {
  at: unknown
  uid: unknown
}

/** One log: where its rows come from, what is searched in them, and what an entry of them looks like. */
interface Declaration<Tables, T extends keyof Tables, Row extends Logged, Entry, Query> {
  /** What the filters of a query leave. */
  rows: (db: Db, query: Query) => SelectQueryBuilder<Tables, T, Row>
  /** What a searched word is looked for in. */
  searched: RawBuilder<string>
  entryOf: (row: Simplify<Row>) => Entry
}

/**
 * The list of a log, newest first. Its entries are no records: nobody changes them, nobody has some of their own, and
 * how many there are is counted when somebody asks.
 */
export function logList<Tables, T extends keyof Tables, Row extends Logged, Entry, Query extends ListQuery>({
  rows,
  searched,
  entryOf,
}: Declaration<Tables, T, Row, Entry, Query>) {
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
