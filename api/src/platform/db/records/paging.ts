import { isOutsider, type Page } from '@roadshow/contract'
import { coalesceCallsByKey } from '../../runtime/coalesce-calls.ts'
import { type CompiledQuery, sql } from 'kysely'
import { type Db, prepared } from '../connection.ts'
import { type ListCall, type ListQuery, presentRows, type RecordKind } from './declaration.ts'
import { allOf, compileFragment, likePattern, searchWords, type SqlFragment, includeIf } from './fragments.ts'
import { readDeepPage } from './deep-page.ts'
import { perDatabase } from './per-database.ts'
import type { ValueOf } from './statement-cache.ts'
import { currentStamp, filteredTotal, presentTotal, readStamp, type TableState } from './totals.ts'

// Skipping this many rows costs less than remembering where they are.
const SHALLOW = 500

/** The conditions of a query. The SQL of a filter depends on its presence only: its value comes from `valueOf`. */
function conditionsOf<Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { scope, query }: Omit<ListCall<Query>, 'db'>,
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
  { scope, query }: Omit<ListCall<Query>, 'db'>,
  part: string,
): string | undefined {
  if (scope.rows === 'own') return undefined
  const filters = kind.filters.filter(([name]) => query[name] !== undefined).map(([name]) => name)
  // Rights decide which texts a search may look through.
  const words = searchWords(query.search).length
  const search = words > 0 ? `${words} ${scope.actor.role} ${scope.actor.modules.join()}` : ''
  return `${part}/${query.sort ?? ''}/${filters.join()}/${search}`
}

interface Stamped {
  $stamp?: string
}

function pageStatement<Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: ListCall<Query>,
  offset: number,
) {
  const { query } = call
  const isNested = kind.hasJoins || offset > SHALLOW
  const part = ['page', query.pageSize, offset > 0, isNested].join()
  const values = { ...valuesOf(query), $offset: offset }
  return kind.statements.compile<Row & Stamped>(shapeOf(kind, call, part), values, (valueOf) => {
    const where = conditionsOf(kind, call, valueOf)
    const { orderBy } = kind.orderOf(query.sort)
    // The limit is written out, not given as a value: PostgreSQL then knows how few rows are wanted and keeps the plan.
    const limit = sql`limit ${sql.lit(query.pageSize)}${includeIf(offset > 0, () => sql` offset ${valueOf('$offset')}`)}`
    const rows = sql`${kind.source} where ${where} ${orderBy} ${limit}`
    // Skipped rows are not worth joining and shaping, and PostgreSQL overestimates a join for one page.
    const page = isNested ? sql`(select t.* from ${rows}) t ${kind.joins} ${orderBy}` : rows
    // A pattern's selectivity decides the plan, so a search is planned each time; a stamp would double that work.
    if (query.search) return sql`select ${kind.columns} from ${page}`
    const stamped = sql<Row & Stamped>`select ${kind.columns}, ${kind.stamp} as "$stamp" from ${page}`
    return kind.narrowFilters.some((name) => query[name] !== undefined) ? stamped : prepared(stamped)
  })
}

const countStatement = <Row, Query extends ListQuery>(kind: RecordKind<Row, Query>, call: ListCall<Query>) =>
  kind.statements.compile<TableState>(shapeOf(kind, call, 'count'), valuesOf(call.query), (valueOf) => {
    const where = conditionsOf(kind, call, valueOf)
    return sql`select count(*) as total, ${kind.stamp} as stamp from ${kind.source} where ${where}`
  })

/** Whether the query selects all rows of the table that are not deleted. */
const selectsEverything = <Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { scope, query }: ListCall<Query>,
) =>
  !kind.only &&
  scope.rows === 'all' &&
  kind.withDeleted?.(query) !== true &&
  searchWords(query.search).length === 0 &&
  kind.filters.every(([name]) => query[name] === undefined)

const skipping = perDatabase(() => coalesceCallsByKey<(object & Stamped)[]>())

/** Runs the statement of a page. Skipping many rows is done once for all callers that ask for the same page. */
async function runPage<Row extends object>(db: Db, statement: CompiledQuery<Row & Stamped>, offset: number) {
  const run = async () => (await db.executeQuery(statement)).rows
  if (offset <= SHALLOW) return run()
  return skipping(db)(JSON.stringify([statement.sql, statement.parameters]), run) as Promise<(Row & Stamped)[]>
}

/** Reads a page by skipping the rows before it. */
async function skipToPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: ListCall<Query>,
  offset: number,
): Promise<{ data: Row[]; total: number }> {
  const { db, scope, query } = call
  const found = await runPage(db, pageStatement(kind, call, offset), offset)
  const rows = found.map(({ $stamp: _stamp, ...row }) => row as unknown as Row)
  const data = await presentRows(kind, { db, scope }, rows)
  const isEverything = selectsEverything(kind, call)
  // A page that is not full is the last one: its total needs no counting.
  const isLast = found.length < query.pageSize && (found.length > 0 || offset === 0)
  if (isLast && !isEverything) return { data, total: offset + found.length }
  const count = () => countStatement(kind, call)
  if (kind.unstampedFilters.some((name) => query[name] !== undefined))
    return { data, total: await presentTotal(db, count()) }
  const { total, stamp } = readStamp(db, kind.table, found[0]?.$stamp ?? (await currentStamp(db, kind.stamp)))
  return { data, total: isEverything ? total : await filteredTotal(db, count(), stamp) }
}

/** One page of a list. A deep page of a whole list starts from a remembered offset. */
export async function readPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: ListCall<Query>,
): Promise<Page<Row>> {
  const { page, pageSize } = call.query
  const offset = (page - 1) * pageSize
  // A transaction may be on an older snapshot than the offsets that others have remembered.
  const hasOffsets = offset > SHALLOW && !call.db.isTransaction && selectsEverything(kind, call)
  const deep = hasOffsets ? await readDeepPage(kind, call) : undefined
  const { data, total } = deep ?? (await skipToPage(kind, call, offset))
  return { data, page, pageSize, total }
}

/** Every row that the query selects, in its order, a few at a time. */
export async function* streamRows<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { db, scope, query }: ListCall<Query>,
): AsyncIterable<Row> {
  const values = valuesOf(query)
  const where = conditionsOf(kind, { scope, query }, (name) => values[name])
  const statement = sql`select ${kind.columns} from ${kind.source} where ${where} ${kind.orderOf(query.sort).orderBy}`
  for await (const { rows } of db.getExecutor().stream<Row>(compileFragment(statement), 500)) {
    yield* await presentRows(kind, { db, scope }, rows)
  }
}
