import { isOutsider, type Page } from '@roadshow/contract'
import { coalesceCallsByKey } from '../../runtime/coalesce-calls.ts'
import { type CompiledQuery, sql } from 'kysely'
import { type Db, prepared } from '../connection.ts'
import { type ListQuery, presentRows, type RecordKind } from './declaration.ts'
import { allOf, compileFragment, likePattern, searchWords, type SqlFragment, includeIf } from './fragments.ts'
import { readDeepPage } from './deep-page.ts'
import { perDatabase } from './per-database.ts'
import type { Scope } from './scope.ts'
import {
  type Anchor,
  currentStamp,
  filteredTotal,
  nearestAnchor,
  presentTotal,
  readStamp,
  rememberAnchor,
  type TableState,
} from './totals.ts'

// Skipping this many rows costs less than remembering where they are.
const SHALLOW = 500

interface Call<Query> {
  db: Db
  scope: Scope
  query: Query
}

type ValueOf = (name: string) => unknown

/** The conditions of a query. The SQL of a filter depends on its presence only: its value comes from `valueOf`. */
function conditionsOf<Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { scope, query }: Pick<Call<Query>, 'scope' | 'query'>,
  valueOf: ValueOf,
): SqlFragment {
  const conditions: SqlFragment[] = kind.only ? [kind.only] : []
  if (scope.rows === 'own') conditions.push(kind.own(scope.actor))
  for (const [name, condition] of kind.filters) {
    if (query[name] === undefined) continue
    const isHidden = kind.staffFilters.has(name) && isOutsider(scope.actor)
    conditions.push(isHidden ? sql`false` : condition(valueOf(name as string)))
  }
  for (const [index] of searchWords(query.search).entries()) {
    conditions.push(kind.search(valueOf(`$word${index}`) as string, scope.actor))
  }
  const withDeleted = kind.withDeleted?.(query) === true
  return allOf([withDeleted ? sql`true` : sql`t.deleted_at is null`, ...conditions])
}

/** The values of a query, and the patterns of its searched words. */
const valuesOf = (query: ListQuery): Record<string, unknown> => ({
  ...query,
  ...Object.fromEntries(searchWords(query.search).map((word, index) => [`$word${index}`, likePattern(word)])),
})

/** What the text of a statement depends on; undefined if it also depends on the actor's own rows. */
function shapeOf<Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { scope, query }: Pick<Call<Query>, 'scope' | 'query'>,
  part: string,
): string | undefined {
  if (scope.rows === 'own') return undefined
  const filters = kind.filters.filter(([name]) => query[name] !== undefined).map(([name]) => name)
  // Rights decide which texts a search may look through.
  const words = searchWords(query.search).length
  const search = words > 0 ? `${words} ${scope.actor.role} ${scope.actor.modules.join()}` : ''
  return `${part}/${query.sort ?? ''}/${filters.join()}/${search}`
}

interface Start {
  /** How many rows to skip, after the anchor if there is one. */
  skip: number
  /** Whether so many rows come before the page that their places are remembered. */
  isDeep: boolean
  anchor: Anchor | undefined
}

interface FoundRow {
  $stamp?: string
  $key?: unknown
  $uid?: string
}

/** The statement for one page. */
function pageStatement<Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: Call<Query>,
  { skip, isDeep, anchor }: Start,
) {
  const { query } = call
  const { column, comparison, orderBy } = kind.orderOf(query.sort)
  const isNested = kind.hasJoins || skip > SHALLOW
  const hasStamp = isDeep || !query.search
  const part = ['page', query.pageSize, skip > 0, isNested, isDeep, anchor !== undefined].join()
  const values = { ...valuesOf(query), $skip: skip, $key: anchor?.key, $uid: anchor?.uid }
  return kind.statements.compile<Row & FoundRow>(shapeOf(kind, call, part), values, (valueOf) => {
    const where = conditionsOf(kind, call, valueOf)
    const start = includeIf(
      anchor,
      () => sql` and (${column}, t.uid) ${comparison} (${valueOf('$key')}, ${valueOf('$uid')})`,
    )
    // The limit is written out, not given as a value: PostgreSQL then knows how few rows are wanted and keeps the plan.
    const limit = sql`limit ${sql.lit(query.pageSize)}${includeIf(skip > 0, () => sql` offset ${valueOf('$skip')}`)}`
    const rows = sql`${kind.source} where ${where}${start} ${orderBy} ${limit}`
    // Skipped rows are not worth joining and shaping, and PostgreSQL overestimates a join for one page.
    const page = isNested ? sql`(select t.* from ${rows}) t ${kind.joins} ${orderBy}` : rows
    const stamp = includeIf(hasStamp, () => sql`, ${kind.stamp} as "$stamp"`)
    const key = includeIf(isDeep, () => sql`, ${column} as "$key", t.uid as "$uid"`)
    const statement = sql`select ${kind.columns}${stamp}${key} from ${page}`
    // A pattern's selectivity decides the plan, so a search is planned each time; a stamp would double that work.
    return query.search ? statement : prepared(statement)
  })
}

/** Names an order of rows, so that the anchors of one list are not used for another. */
function orderKeyOf<Row, Query extends ListQuery>(kind: RecordKind<Row, Query>, call: Call<Query>): string {
  const { sql: text, parameters } = kind.statements.compile(
    shapeOf(kind, call, 'order'),
    valuesOf(call.query),
    (valueOf) => {
      const where = conditionsOf(kind, call, valueOf)
      return sql`${where} ${kind.orderOf(call.query.sort).orderBy}`
    },
  )
  return JSON.stringify([kind.table, text, parameters])
}

/** The statement that counts the rows of a query. */
const countStatement = <Row, Query extends ListQuery>(kind: RecordKind<Row, Query>, call: Call<Query>) =>
  kind.statements.compile<TableState>(shapeOf(kind, call, 'count'), valuesOf(call.query), (valueOf) => {
    const where = conditionsOf(kind, call, valueOf)
    return sql`select count(*) as total, ${kind.stamp} as stamp from ${kind.source} where ${where}`
  })

/** Whether the query selects all rows of the table that are not deleted. */
const selectsEverything = <Row, Query extends ListQuery>(kind: RecordKind<Row, Query>, { scope, query }: Call<Query>) =>
  !kind.only &&
  scope.rows === 'all' &&
  kind.withDeleted?.(query) !== true &&
  searchWords(query.search).length === 0 &&
  kind.filters.every(([name]) => query[name] === undefined)

const skipping = perDatabase(() => coalesceCallsByKey<(object & FoundRow)[]>())

/** Runs the statement of a page. Skipping many rows is done once for all callers that ask for the same page. */
async function runPage<Row extends object>(
  db: Db,
  statement: CompiledQuery<Row & FoundRow>,
  { skip }: Pick<Start, 'skip'>,
): Promise<(Row & FoundRow)[]> {
  const run = async () => (await db.executeQuery(statement)).rows
  if (skip <= SHALLOW) return run()
  return skipping(db)(JSON.stringify([statement.sql, statement.parameters]), run) as Promise<(Row & FoundRow)[]>
}

/** Reads one page in one statement. Undefined if the anchor it started from is outdated. */
async function tryPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: Call<Query>,
  useAnchor: boolean,
): Promise<{ data: Row[]; total: number } | undefined> {
  const { db, scope, query } = call
  const isEverything = selectsEverything(kind, call)
  const offset = (query.page - 1) * query.pageSize
  const isStamped = kind.unstampedFilters.every((name) => query[name] === undefined)
  // Without a stamp, remembered places say nothing.
  const isDeep = offset > SHALLOW && isStamped
  const orderKey = isDeep ? orderKeyOf(kind, call) : ''
  const anchor = isDeep && useAnchor ? nearestAnchor(db, orderKey, offset) : undefined
  const skip = offset - (anchor?.offset ?? 0)
  const found = await runPage(db, pageStatement(kind, call, { skip, isDeep, anchor }), { skip })
  const rows = found.map(({ $stamp: _stamp, $key: _key, $uid: _uid, ...row }) => row as unknown as Row)
  const data = await presentRows(kind, { db, scope }, rows)
  // A page that is not full is the last one: its total needs no counting.
  const isLast = found.length < query.pageSize && (found.length > 0 || offset === 0)
  if (isLast && !isEverything && !isDeep) return { data, total: offset + found.length }
  if (!isStamped) return { data, total: await presentTotal(db, countStatement(kind, call)) }
  const first = found[0]
  const { total, stamp } = readStamp(db, kind.table, first?.$stamp ?? (await currentStamp(db, kind.stamp)))
  if (anchor && anchor.stamp !== stamp) return undefined
  if (isDeep && first?.$uid) rememberAnchor(db, orderKey, { stamp, offset, key: first.$key, uid: first.$uid })
  if (isEverything) return { data, total }
  return { data, total: await filteredTotal(db, countStatement(kind, call), stamp) }
}

/** A deep page of a whole list, if it can start from a place that outlives writes. */
async function tryDeepPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: Call<Query>,
): Promise<{ data: Row[]; total: number } | undefined> {
  // A transaction may be on an older snapshot than the places that others have remembered.
  if (call.db.isTransaction || !selectsEverything(kind, call)) return undefined
  return readDeepPage(kind, call)
}

/** One page of a list. A deep page starts from the nearest known row. */
export async function readPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: Call<Query>,
): Promise<Page<Row>> {
  const { page, pageSize } = call.query
  const deep = (page - 1) * pageSize > SHALLOW ? await tryDeepPage(kind, call) : undefined
  const found = deep ?? (await tryPage(kind, call, true)) ?? (await tryPage(kind, call, false))
  return { data: found?.data ?? [], page, pageSize, total: found?.total ?? 0 }
}

/** Every row that the query selects, in its order, a few at a time. */
export async function* streamRows<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { db, scope, query }: Call<Query>,
): AsyncIterable<Row> {
  const values = valuesOf(query)
  const where = conditionsOf(kind, { scope, query }, (name) => values[name])
  const statement = sql`select ${kind.columns} from ${kind.source} where ${where} ${kind.orderOf(query.sort).orderBy}`
  for await (const { rows } of db.getExecutor().stream<Row>(compileFragment(statement), 500)) {
    yield* await presentRows(kind, { db, scope }, rows)
  }
}
