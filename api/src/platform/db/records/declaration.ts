import { type ErrorCode, isOutsider } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../connection.ts'
import type { DB } from '../schema.ts'
import { compileFragment, renderOnce, selectList, type SqlFragment } from './fragments.ts'
import type { Actor, Scope } from './scope.ts'
import { searchText, type SearchText } from './search-text.ts'
import { StatementCache } from './statement-cache.ts'
import { stampColumn } from './totals.ts'

export interface ListQuery {
  page: number
  pageSize: number
  search?: string | undefined
  sort?: string | undefined
}

/** By which column a row belongs to an actor, and whether a value of it does. Values are text. */
export interface RecordOwner {
  column: string
  isOwn: (value: SqlFragment) => SqlFragment
}

/** One kind of record: where its rows come from and how they are shown, searched, sorted and filtered. */
export interface Declaration<T extends keyof DB, Row, Query> {
  /** The table; its alias in every fragment is `t`. */
  table: T & string
  /** The word of the business for such a record, if the table has another name. */
  noun?: string
  joins?: SqlFragment
  /** The SQL of each field of the record. */
  columns: Record<keyof Row & string, SqlFragment>
  /** Sort name to column; each has an index on (column, uid). The first is the default order. */
  sorts: Record<string, SqlFragment>
  /** Filter name to the condition for a value of the filter. */
  filters: {
    [Name in Exclude<keyof Query, keyof ListQuery | 'format' | 'timeZone'>]-?: (
      value: NonNullable<Query[Name]>,
    ) => SqlFragment
  }
  /** The condition for a searched word, if it is looked for in more than the row's own text. */
  search?: (pattern: string, actor: Actor) => SqlFragment
  /** The row's own text, if outsiders may not search all of it. */
  searchText?: SearchText
  /** The condition for the rows that are an actor's own. */
  own: (actor: Actor) => SqlFragment
  /** The column that makes a row an actor's own. An actor reads the history of a row only from then on. */
  owner?: (actor: Actor) => RecordOwner
  /** Constraint to its error, and to the form field that causes it. */
  taken?: Record<string, readonly [ErrorCode, field?: string]>
  /** Columns of the table that hold JSON. */
  jsonColumns?: readonly string[]
  /** A condition that every row of the list meets. */
  only?: SqlFragment
  /** Whether a query includes deleted rows. With this function, deleted rows can be opened and restored. */
  withDeleted?: (query: Query) => boolean
  /** Adds what another statement reads for many rows at once, such as sums over a distributed table. */
  complete?: (db: Db, rows: readonly Row[], scope: Scope) => Promise<Row[]>
  /** Adds what SQL cannot compute, such as the signed address of a picture. */
  finish?: (row: Row) => Row
  /** Filters by fields that outsiders do not see; they find nothing with them. */
  staffFilters?: readonly (keyof Query)[]
  /**
   * Filters that may leave few rows or most of them. Pages are planned with their values: a plan for any value would walk
   * through the whole order of a list to find the few.
   */
  narrowFilters?: readonly (keyof Query)[]
  /** Filters whose rows change with time or with other tables: their totals are counted each time. */
  unstampedFilters?: readonly (keyof Query)[]
  /** The values that outsiders see instead of fields for staff only. Notes are always for staff only. */
  staffOnly?: Partial<Row>
}

/** The reading of a list. */
export interface ListCall<Query> {
  db: Db
  scope: Scope
  query: Query
}

export interface SortOrder {
  /** Tells the orders of a table apart. */
  name: string
  column: SqlFragment
  /** The name of the column, if it is one of the table itself. */
  ownColumn: string | undefined
  /** Compares a row with one at or before it in this order. */
  comparison: SqlFragment
  orderBy: SqlFragment
  direction: SqlFragment
}

/** All orders of a list, both ways. */
function sortOrders(sorts: Record<string, SqlFragment>): (sort: string | undefined) => SortOrder {
  const orders = new Map<string, SortOrder>()
  for (const [sort, given] of Object.entries({ ...sorts, '': Object.values(sorts)[0] ?? sql`t.uid` })) {
    const column = renderOnce(given)
    const { sql: text } = compileFragment(given)
    const ownColumn = /^t\.(\w+)$/.exec(text)?.[1]
    const order = (way: string, sign: string): SortOrder => {
      const direction = sql.raw(way)
      const orderBy = renderOnce(sql`order by ${column} ${direction}, t.uid ${direction}`)
      return { name: `${text} ${way}`, column, ownColumn, comparison: sql.raw(sign), orderBy, direction }
    }
    orders.set(sort, order('asc', '>='))
    orders.set(`-${sort}`, order('desc', '<='))
  }
  const standard = { up: orders.get('') as SortOrder, down: orders.get('-') as SortOrder }
  return (sort = '') => orders.get(sort) ?? (sort.startsWith('-') ? standard.down : standard.up)
}

/** A declaration prepared for use: its fixed parts are rendered once. */
export type RecordKind<Row, Query> = ReturnType<typeof prepareKind<keyof DB, Row, Query>>

export function prepareKind<T extends keyof DB, Row, Query>(of: Declaration<T, Row, Query>) {
  const joins = renderOnce(of.joins ?? sql``)
  const text = of.searchText ?? searchText()
  return {
    table: of.table,
    noun: of.noun ?? of.table.replaceAll('_', ' '),
    columns: renderOnce(selectList(of.columns)),
    joins,
    hasJoins: of.joins !== undefined,
    /** The table with its joins. */
    source: renderOnce(sql`${sql.table(of.table)} t ${joins}`),
    stamp: renderOnce(stampColumn(of.table)),
    filters: Object.entries(of.filters) as [keyof Query, (value: unknown) => SqlFragment][],
    // PostgreSQL lowers the pattern as it lowers the column: JavaScript differs in some scripts.
    search: of.search ?? ((pattern: string, actor: Actor) => sql`${text(actor, 't')} like lower(${pattern})`),
    own: of.own,
    staffFilters: new Set(of.staffFilters),
    narrowFilters: of.narrowFilters ?? [],
    unstampedFilters: of.unstampedFilters ?? [],
    only: of.only && renderOnce(of.only),
    orderOf: sortOrders(of.sorts),
    withDeleted: of.withDeleted,
    taken: of.taken,
    jsonColumns: of.jsonColumns ?? [],
    complete: of.complete,
    finish: of.finish ?? ((row: Row) => row),
    hidden: { ...('note' in of.columns && { note: '' }), ...of.staffOnly } as Partial<Row>,
    statements: new StatementCache(),
  }
}

type Presentation<Row> = Pick<RecordKind<Row, never>, 'complete' | 'finish' | 'hidden'>

/** Completes rows and makes them what the actor may see of them. */
export async function presentRows<Row extends object>(
  { complete, finish, hidden }: Presentation<Row>,
  { db, scope }: { db: Db; scope: Scope },
  rows: Row[],
): Promise<Row[]> {
  const whole = complete && rows.length > 0 ? await complete(db, rows, scope) : rows
  return whole.map(isOutsider(scope.actor) ? (row) => ({ ...finish(row), ...hidden }) : finish)
}

/** For tables without rows that belong to a user. */
export const noOwnRows = (): SqlFragment => sql`false`

/** For tables in which all rows are for every user who may read the table. */
export const allRows = (): SqlFragment => sql`true`
