import { type ErrorCode, isOutsider, type Page } from '@roadshow/contract'
import { CompiledQuery, type Insertable, type Updateable } from 'kysely'
import { DatabaseError } from 'pg'
import { AppError } from '../../runtime/app-error.ts'
import { type Db, inTransaction, prepared } from '../connection.ts'
import { explainGone, references, Name } from './references.ts'
import { type Piece, Values } from './pieces.ts'
import type { DB } from '../schema.ts'
import type { Actor, Scope } from './scope.ts'
import { searchedBy, type SearchedText } from './staff-only.ts'
import { currentMark, filteredTotal, keepAnchor, markColumn, nearestAnchor, readMark } from './totals.ts'

export interface ListQuery {
  page: number
  pageSize: number
  search?: string | undefined
  sort?: string | undefined
}

/** One kind of record: where its rows come from and how they are seen, searched, sorted and filtered. */
export interface Declaration<T extends keyof DB, Row, Query> {
  /** The table; in every piece of SQL its alias is `t`. */
  table: T & string
  /** What people call such a record, where the table has another name. */
  noun?: string
  joins?: string
  /** Each field of the record as SQL. */
  columns: Record<keyof Row & string, string>
  /** Sort name to column; each has an index on (column, uid). The first is the default order. */
  sorts: Record<string, string>
  /** Filter name to a condition with one `?`, which gets the filter's value. */
  filters: { [Name in Exclude<keyof Query, keyof ListQuery | 'format'>]-?: string }
  /** What a searched word is looked for in, where that is more than the row's own text; each `?` gets the pattern. */
  search?: (textOf: SearchedText) => string
  /** Which rows are an actor's own. */
  own: (actor: Actor) => Piece
  /** Constraint to the error and the form field it stands for, if there is one. */
  taken?: Record<string, readonly [ErrorCode, field?: string]>
  /** A condition that every row of the list meets. */
  only?: string
  /** Which queries want deleted rows too. Where it stands, deleted rows can be opened and restored. */
  withDeleted?: (query: Query) => boolean
  /** What SQL alone cannot give a record, such as the signed address of its picture. */
  finish?: (row: Row) => Row
  /** What outsiders see in place of what is for staff alone. Notes always are. */
  staffOnly?: Partial<Row>
}

// Skipping this many rows costs less than remembering where they are.
const SHALLOW = 500

type Unsigned<Row> = Omit<Row, 'uid' | 'version' | 'changed_by' | 'changed_from'>
type Given<Row> = { [Column in keyof Row]: Row[Column] | Name }
type Write<T extends keyof DB> = Given<Unsigned<Updateable<DB[T]>>>
type Create<T extends keyof DB> = Given<Unsigned<Insertable<DB[T]>>>

/** A pattern that finds a word anywhere in a text. */
export const likePattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** The queries of one kind of record, derived from its declaration. */
export function records<T extends keyof DB, Row extends object, Query extends ListQuery>(
  of: Declaration<T, Row, Query>,
) {
  const joins = of.joins ?? ''
  const columns = Object.entries<string>(of.columns)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ')
  const source = `${of.table} t ${joins}`
  const select = `select ${columns} from ${source}`
  const { missingRefs, ref, requireRefs, lockRow } = references({
    table: of.table,
    noun: of.noun ?? of.table.replaceAll('_', ' '),
    own: of.own,
  })
  const finish = of.finish ?? ((row: Row) => row)
  const hidden = { ...('note' in of.columns && { note: '' }), ...of.staffOnly }
  /** A row as somebody may see it. */
  const seenBy = ({ actor }: Scope) => (isOutsider(actor) ? (row: Row): Row => ({ ...finish(row), ...hidden }) : finish)
  const run = async <R>(db: Db, statement: string, values: unknown[]) =>
    (await db.executeQuery<R>(CompiledQuery.raw(statement, values))).rows

  /** Conditions of a query; `everything` when the query leaves all rows in. */
  function where(values: Values, scope: Scope, query: Query) {
    const conditions: string[] = of.only ? [of.only] : []
    if (scope.rows === 'own') conditions.push(values.bind(of.own(scope.actor)))
    for (const [name, sql] of Object.entries<string>(of.filters)) {
      const given = query[name as keyof Query]
      if (given !== undefined) conditions.push(values.bind([sql, given]))
    }
    const textOf = searchedBy(scope.actor)
    for (const word of query.search?.split(/\s+/).filter(Boolean) ?? []) {
      // Lowered by PostgreSQL as the column is: JavaScript has other ideas of some scripts.
      const search = of.search?.(textOf) ?? `${textOf(of.table, 't')} like lower(?)`
      conditions.push(search.replaceAll('?', values.add(likePattern(word))))
    }
    const all = of.withDeleted?.(query) === true
    const text = [all ? 'true' : 't.deleted_at is null', ...conditions].join(' and ')
    return { text, everything: !all && conditions.length === 0 }
  }

  function order(sort: string | undefined) {
    const name = sort?.replace('-', '')
    const column = (name && of.sorts[name]) || Object.values(of.sorts)[0] || 't.uid'
    const down = sort?.startsWith('-')
    const way = down ? 'desc' : 'asc'
    return { column, comparison: down ? '<=' : '>=', text: `order by ${column} ${way}, t.uid ${way}` }
  }

  /** One page in one statement, started from the nearest known row when it is deep. */
  async function rowsOf(db: Db, scope: Scope, query: Query, useAnchor: boolean) {
    const values = new Values()
    const { text, everything } = where(values, scope, query)
    const filterValues = [...values.list]
    const { column, comparison, text: ordering } = order(query.sort)
    const offset = (query.page - 1) * query.pageSize
    const deep = offset > SHALLOW
    const orderKey = deep ? JSON.stringify([of.table, text, ordering, filterValues]) : ''
    const anchor = deep && useAnchor ? nearestAnchor(orderKey, offset) : undefined
    const from = anchor
      ? ` and (${column}, t.uid) ${comparison} (${values.add(anchor.key)}, ${values.add(anchor.uid)})`
      : ''
    const skip = offset - (anchor?.offset ?? 0)
    // Written out, not given as values: knowing how few rows are wanted, PostgreSQL keeps the plan of the statement.
    const limit = `limit ${query.pageSize}${skip > 0 ? ` offset ${values.add(skip)}` : ''}`
    const rows = `${source} where ${text}${from} ${ordering} ${limit}`
    // Rows that are only skipped are not worth joining and shaping; and PostgreSQL expects more of a join than a page of it.
    const shaped = joins || skip > SHALLOW ? `(select t.* from ${rows}) t ${joins} ${ordering}` : rows
    // How selective a pattern is decides its plan, so a search is planned afresh each time; the mark would double that work.
    const marked = deep || !query.search
    const extra = `${marked ? `, ${markColumn(of.table)} as "$mark"` : ''}${deep ? `, ${column} as "$key", t.uid as "$uid"` : ''}`
    const statement = `select ${columns}${extra} from ${shaped}`
    const found = await run<Row & { $mark?: string; $key?: unknown; $uid?: string }>(
      db,
      query.search ? statement : prepared(statement),
      values.list,
    )
    const seen = seenBy(scope)
    const data = found.map(({ $mark: _mark, $key: _key, $uid: _uid, ...row }) => seen(row as unknown as Row))
    // A page that is not full is the last one: what it holds needs no counting.
    const isLast = found.length < query.pageSize && (found.length > 0 || offset === 0)
    if (isLast && !everything && !deep) return { data, total: offset + found.length }
    const { total, mark } = readMark(db, of.table, found[0]?.$mark ?? (await currentMark(db, of.table)))
    if (anchor && anchor.mark !== mark) return undefined
    if (deep && found[0]?.$uid) keepAnchor(orderKey, mark, { offset, key: found[0].$key, uid: found[0].$uid })
    if (everything) return { data, total }
    return { data, total: await filteredTotal(db, of.table, `${source} where ${text}`, filterValues, mark) }
  }

  async function page(db: Db, scope: Scope, query: Query): Promise<Page<Row>> {
    const { page: number, pageSize } = query
    const found = (await rowsOf(db, scope, query, true)) ?? (await rowsOf(db, scope, query, false))
    return { data: found?.data ?? [], page: number, pageSize, total: found?.total ?? 0 }
  }

  /** Every row that the query leaves, in its order, a few at a time. */
  function stream(db: Db, scope: Scope, query: Query): AsyncIterable<Row> {
    const values = new Values()
    const statement = `${select} where ${where(values, scope, query).text} ${order(query.sort).text}`
    const compiled = CompiledQuery.raw(statement, values.list)
    return (async function* () {
      for await (const { rows } of db.getExecutor().stream<Row>(compiled, 500)) yield* rows.map(seenBy(scope))
    })()
  }

  async function find(db: Db, scope: Scope, uid: string): Promise<Row | undefined> {
    const values = new Values()
    const own = scope.rows === 'own' ? ` and ${values.bind(of.own(scope.actor))}` : ''
    const kept = of.withDeleted ? '' : ' and t.deleted_at is null'
    const statement = `${select} where t.uid = ${values.add(uid)}${kept}${own}`
    return (await run<Row>(db, prepared(statement), values.list)).map(seenBy(scope))[0]
  }

  async function get(db: Db, scope: Scope, uid: string): Promise<Row> {
    const found = await find(db, scope, uid)
    if (!found) throw new AppError('notFound')
    return found
  }

  const signed = (scope: Scope, given: object) => ({
    ...given,
    changed_by: scope.actor.uid,
    changed_from: scope.actor.address,
  })

  /** What is written, as SQL; records that it names are held by statements in front of it. */
  function written(values: Values, scope: Scope, given: object) {
    const held: string[] = []
    const value = (of: unknown) => {
      if (!(of instanceof Name)) return values.add(of)
      const name = `n${held.length}`
      held.push(`${name} as (${of.held(values, scope)}), `)
      return `must_be_there((select uid from ${name}), '${of.field}', '${of.noun}')`
    }
    const fields = Object.entries(signed(scope, given)).map(([name, of]) => [name, value(of)] as const)
    return { held: held.join(''), fields }
  }

  async function create(db: Db, scope: Scope, given: Create<T>): Promise<Row> {
    const values = new Values()
    const { held, fields } = written(values, scope, given)
    const statement =
      `with ${held}t as (insert into ${of.table} (${fields.map(([name]) => name).join(', ')}) ` +
      `values (${fields.map(([, sql]) => sql).join(', ')}) returning *) select ${columns} from t ${joins}`
    const [created] = await explained(run<Row>(db, prepared(statement), values.list))
    return finish(created as Row)
  }

  /** Changes a row that is still at the given version; any version when none is given. */
  async function change(
    db: Db,
    scope: Scope,
    uid: string,
    version: number | undefined,
    given: Write<T>,
    from: 'kept' | 'deleted' = 'kept',
  ) {
    const values = new Values()
    const { held, fields } = written(values, scope, given)
    const sets = fields.map(([name, sql]) => `${name} = ${sql}`)
    const conditions = [`t.uid = ${values.add(uid)}`, `t.deleted_at is ${from === 'kept' ? '' : 'not '}null`]
    if (version !== undefined) conditions.push(`t.version = ${values.add(version)}`)
    if (scope.rows === 'own') conditions.push(values.bind(of.own(scope.actor)))
    const statement =
      `with ${held}t as (update ${of.table} t set ${sets.join(', ')} where ${conditions.join(' and ')} returning *) ` +
      `select ${columns} from t ${joins}`
    const [changed] = await explained(run<Row>(db, prepared(statement), values.list))
    if (changed) return finish(changed)
    await get(db, scope, uid)
    throw new AppError('staleVersion')
  }

  const update = (db: Db, scope: Scope, uid: string, version: number, given: Write<T>) =>
    change(db, scope, uid, version, given)

  /** Deleting is soft: what happened with the record stays as it was. */
  async function remove(db: Db, scope: Scope, uid: string): Promise<{ uid: string }> {
    await change(db, scope, uid, undefined, { deleted_at: new Date() } as unknown as Write<T>)
    return { uid }
  }

  /** Deletes a row that nothing needs: `refuse` looks whether anything does, while nobody can begin to. */
  const removeUnless = (db: Db, scope: Scope, uid: string, refuse: (db: Db) => Promise<void>) =>
    inTransaction(db, async (db) => {
      await lockRow(db, uid)
      await get(db, scope, uid)
      await refuse(db)
      return remove(db, scope, uid)
    })

  /** Brings a deleted row back as it was. */
  const restore = (db: Db, scope: Scope, uid: string) =>
    change(db, scope, uid, undefined, { deleted_at: null } as unknown as Write<T>, 'deleted')

  async function explained<R>(work: Promise<R>): Promise<R> {
    try {
      return await work
    } catch (error) {
      explainGone(error)
      const [code, field] = (error instanceof DatabaseError && of.taken?.[error.constraint ?? '']) || []
      if (!code) throw error
      const refused = new AppError(code)
      throw field ? new AppError(code, { fields: { [field]: refused.message } }) : refused
    }
  }

  return {
    table: of.table,
    select,
    page,
    stream,
    find,
    get,
    create,
    update,
    remove,
    removeUnless,
    restore,
    missingRefs,
    ref,
    requireRefs,
    lockRow,
  }
}

/** For tables in which nobody has rows of their own. */
export const noOwnRows = (): Piece => ['false']

/** For tables that everybody who may read them reads whole. */
export const everybodys = (): Piece => ['true']
