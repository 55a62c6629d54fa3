import type { Page } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, prepared } from '../connection.ts'
import { type ListQuery, presentTo, type RecordKind } from './declaration.ts'
import { allOf, compileFragment, likePattern, searchWords, type SqlFragment, includeIf } from './fragments.ts'
import type { Scope } from './scope.ts'
import { type Anchor, currentStamp, filteredTotal, nearestAnchor, readStamp, rememberAnchor } from './totals.ts'

// Skipping this many rows costs less than remembering where they are.
const SHALLOW = 500

interface Selection {
  where: SqlFragment
  /** Whether the query selects all rows of the table that are not deleted. */
  isEverything: boolean
}

function selectionOf<Row, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  scope: Scope,
  query: Query,
): Selection {
  const conditions: SqlFragment[] = kind.only ? [kind.only] : []
  if (scope.rows === 'own') conditions.push(kind.own(scope.actor))
  for (const [name, condition] of kind.filters) {
    const value = query[name]
    if (value !== undefined) conditions.push(condition(value))
  }
  for (const word of searchWords(query.search)) conditions.push(kind.search(likePattern(word), scope.actor))
  const withDeleted = kind.withDeleted?.(query) === true
  const isEverything = !withDeleted && conditions.length === 0
  return { where: allOf([withDeleted ? sql`true` : sql`t.deleted_at is null`, ...conditions]), isEverything }
}

interface Stretch {
  where: SqlFragment
  offset: number
  /** Whether so many rows come before the page that it starts from an anchor. */
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
  query: Query,
  { where, offset, isDeep, anchor }: Stretch,
) {
  const { column, comparison, orderBy } = kind.orderOf(query.sort)
  const skip = offset - (anchor?.offset ?? 0)
  const start = includeIf(anchor, () => sql` and (${column}, t.uid) ${comparison} (${anchor?.key}, ${anchor?.uid})`)
  // The limit is written out, not given as a value: PostgreSQL then knows how few rows are wanted and keeps the plan.
  const limit = sql`limit ${sql.lit(query.pageSize)}${includeIf(skip > 0, () => sql` offset ${skip}`)}`
  const rows = sql`${kind.source} where ${where}${start} ${orderBy} ${limit}`
  // Skipped rows are not worth joining and shaping, and PostgreSQL overestimates a join for one page.
  const page = kind.hasJoins || skip > SHALLOW ? sql`(select t.* from ${rows}) t ${kind.joins} ${orderBy}` : rows
  // A pattern's selectivity decides the plan, so a search is planned each time; the stamp would double that work.
  const stamp = includeIf(isDeep || !query.search, () => sql`, ${kind.stamp} as "$stamp"`)
  const key = includeIf(isDeep, () => sql`, ${column} as "$key", t.uid as "$uid"`)
  const statement = sql<Row & FoundRow>`select ${kind.columns}${stamp}${key} from ${page}`
  return query.search ? statement : prepared(statement)
}

/** Names an order of rows, so that the anchors of one list are not used for another. */
function orderKeyOf<Row, Query extends ListQuery>(kind: RecordKind<Row, Query>, where: SqlFragment, query: Query) {
  const { sql: text, parameters } = compileFragment(sql`${where} ${kind.orderOf(query.sort).orderBy}`)
  return JSON.stringify([kind.table, text, parameters])
}

interface Call<Query> {
  db: Db
  scope: Scope
  query: Query
}

/** Reads one page in one statement. Undefined if the anchor it started from is outdated. */
async function tryPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { db, scope, query }: Call<Query>,
  useAnchor: boolean,
): Promise<{ data: Row[]; total: number } | undefined> {
  const { where, isEverything } = selectionOf(kind, scope, query)
  const offset = (query.page - 1) * query.pageSize
  const isDeep = offset > SHALLOW
  const orderKey = isDeep ? orderKeyOf(kind, where, query) : ''
  const anchor = isDeep && useAnchor ? nearestAnchor(orderKey, offset) : undefined
  const { rows: found } = await pageStatement(kind, query, { where, offset, isDeep, anchor }).execute(db)
  const present = presentTo(kind, scope)
  const data = found.map(({ $stamp: _stamp, $key: _key, $uid: _uid, ...row }) => present(row as unknown as Row))
  // A page that is not full is the last one: its total needs no counting.
  const isLast = found.length < query.pageSize && (found.length > 0 || offset === 0)
  if (isLast && !isEverything && !isDeep) return { data, total: offset + found.length }
  const first = found[0]
  const { total, stamp } = readStamp(db, kind.table, first?.$stamp ?? (await currentStamp(db, kind.stamp)))
  if (anchor && anchor.stamp !== stamp) return undefined
  if (isDeep && first?.$uid) rememberAnchor(orderKey, stamp, { offset, key: first.$key, uid: first.$uid })
  if (isEverything) return { data, total }
  const counted = sql`${kind.stamp} as stamp from ${kind.source} where ${where}`
  return { data, total: await filteredTotal(db, counted, stamp) }
}

/** One page of a list. A deep page starts from the nearest known row. */
export async function readPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: Call<Query>,
): Promise<Page<Row>> {
  const { page, pageSize } = call.query
  const found = (await tryPage(kind, call, true)) ?? (await tryPage(kind, call, false))
  return { data: found?.data ?? [], page, pageSize, total: found?.total ?? 0 }
}

/** Every row that the query selects, in its order, a few at a time. */
export async function* streamRows<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { db, scope, query }: Call<Query>,
): AsyncIterable<Row> {
  const { where } = selectionOf(kind, scope, query)
  const statement = sql`select ${kind.columns} from ${kind.source} where ${where} ${kind.orderOf(query.sort).orderBy}`
  const present = presentTo(kind, scope)
  for await (const { rows } of db.getExecutor().stream<Row>(statement.compile(db), 500)) yield* rows.map(present)
}
