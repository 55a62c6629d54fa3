import { type HistoryPage, type RecordChange, type historyEndpoint, isOutsider } from '@roadshow/contract'
import { sql } from 'kysely'
import { ACTOR_NAME } from '../db/actor-name.ts'
import type { Db } from '../db/connection.ts'
import type { NameColumns } from '../db/name-columns.ts'
import type { RecordOwner } from '../db/records/declaration.ts'
import type { SqlFragment } from '../db/records/fragments.ts'
import type { Actor, Scope } from '../db/records/scope.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
export type { StoredChanges } from './names.ts'
import { describeValue, toFieldName, type HistoryReferences, loadNames, type StoredChanges } from './names.ts'

interface RecordsWithHistory {
  table: string
  /** The only columns that outsiders read. */
  outsiderColumns: readonly string[]
  /** What one owner wrote: a later owner of the record does not read it, not even if it arrived afterwards. */
  personalColumns?: readonly string[]
  /** The column that makes a row an actor's own, where it can change. */
  owner?: ((actor: Actor) => RecordOwner) | undefined
  getKeptOrDeleted(db: Db, scope: Scope, uid: string): Promise<unknown>
}

/** Serves the History tab of one kind of record, to users who may see the record itself or could before it was deleted. */
export function serveHistory(
  app: App,
  endpoint: ReturnType<typeof historyEndpoint>,
  records: RecordsWithHistory,
  references: HistoryReferences = {},
) {
  const { nameColumns, histories } = app.kernel
  histories.set(records.table, { access: endpoint.access, references })
  serve(app, endpoint, async ({ db, scope, params, query }) => {
    await records.getKeptOrDeleted(db, scope, params.uid)
    const isOutside = isOutsider(scope.actor)
    const owner = scope.rows === 'own' ? records.owner?.(scope.actor) : undefined
    const { calls, total, keptSince } = await loadCalls(db, {
      records,
      uid: params.uid,
      reader: scope.actor,
      isOutside,
      owner,
      ...query,
    })
    const changes = calls.map((call) => call.changes.flatMap((stored) => Object.entries(stored)))
    const names = await loadNames(db, changes.flat(), { references, nameColumns })
    const data = calls.map(({ at, action, by, address, isTakeover }, index): RecordChange => {
      const fields = (changes[index] ?? []).map(([column, [before, after]]) => ({
        field: toFieldName(column),
        // The change by which a record became the reader's own says nothing of whose it was.
        old: isTakeover ? null : describeValue(before, column, references, names),
        new: describeValue(after, column, references, names),
      }))
      // Outsiders learn neither the names of staff nor the addresses that staff work from.
      const author = isOutside ? { by: by && STAFF, address: null } : { by, address }
      return { at, action, ...author, fields }
    })
    return {
      data,
      page: query.page,
      pageSize: query.pageSize,
      total,
      ...(keptSince && { keptSince }),
    } satisfies HistoryPage
  })
}

/** The fields of changes of several kinds of records, with the names of what they refer to. */
export async function describeChanges(
  db: Db,
  rows: readonly { changes: readonly StoredChanges[]; references: HistoryReferences }[],
  nameColumns: NameColumns,
): Promise<RecordChange['fields'][]> {
  const changes = rows.map((row) => row.changes.flatMap((stored) => Object.entries(stored)))
  // A column refers to the same table in every kind of record.
  const references: HistoryReferences = Object.assign({}, ...rows.map((row) => row.references))
  const names = await loadNames(db, changes.flat(), { references, nameColumns })
  return changes.map((entries) =>
    entries.map(([column, [before, after]]) => ({
      field: toFieldName(column),
      old: describeValue(before, column, references, names),
      new: describeValue(after, column, references, names),
    })),
  )
}

/** Stands for the name of an author that outsiders do not learn. */
const STAFF = 'Staff'

interface HistoryQuery {
  records: RecordsWithHistory
  uid: string
  reader: Actor
  isOutside: boolean
  owner: RecordOwner | undefined
  page: number
  pageSize: number
}

/** Everything that one call wrote, to the record and to its parts, carries the same time and is shown as one change. */
const ONE_CALL = ['h.at', 'h.actor_uid', 'h.key_uid', 'h.address'] as const

/** The last change before which the record was not the reader's own, and whether a change made it theirs. */
function ownership({ records, uid, owner }: HistoryQuery) {
  if (!owner) return { since: sql`0`, isTakeover: sql<boolean>`false` }
  const value = (entry: string, part: 0 | 1) =>
    sql`${sql.ref(`${entry}.changes`)} -> ${owner.column} ->> ${sql.lit(part)}`
  const isForeign = (entry: string, part: 0 | 1) =>
    sql<boolean>`(${value(entry, part)} is not null and not (${owner.isOwn(sql`(${value(entry, part)})`)}))`
  return {
    // The change that made it theirs counts by itself: older ones may no longer be kept.
    since: sql`coalesce((select max(case when ${isForeign('x', 1)} then x.id else x.id - 1 end) from history x
      where x.table_name = ${records.table} and x.record_uid = ${uid} and (${isForeign('x', 0)} or ${isForeign('x', 1)})), 0)`,
    isTakeover: isForeign('h', 0),
  }
}

const onlyColumns = (columns: readonly string[]) => sql<StoredChanges>`(
  select coalesce(jsonb_object_agg(c.key, c.value), '{}') from jsonb_each(h.changes) c
   where c.key = any(${[...columns]}::text[]))`

/** The changes of an entry that its reader may see. */
function visibleChanges({ records, reader, isOutside, owner }: HistoryQuery) {
  if (isOutside) return onlyColumns(records.outsiderColumns)
  if (!owner || !records.personalColumns) return sql<StoredChanges>`h.changes`
  const isOfOtherOwner = sql`h.actor_uid <> ${reader.uid} and exists (
    select from user_account a where a.uid = h.actor_uid and a.role = ${reader.role})`
  return sql<StoredChanges>`case when ${isOfOtherOwner} then h.changes - ${[...records.personalColumns]}::text[] else h.changes end`
}

async function loadCalls(db: Db, query: HistoryQuery) {
  const { records, uid, page, pageSize } = query
  const { since, isTakeover } = ownership(query)
  const visible = visibleChanges(query)
  const entries = db
    .selectFrom('history as h')
    .where('h.table_name', '=', records.table)
    .where('h.record_uid', '=', uid)
    .where(sql<boolean>`h.id > ${since}`)
    // A user who may not read a note does not learn either that it changed.
    .$if(query.isOutside || query.owner !== undefined, (all) =>
      all.where(sql<boolean>`(h.action <> 'changed' or ${visible} <> '{}')`),
    )
  const calls = await entries
    .leftJoin('user_account as u', 'u.uid', 'h.actor_uid')
    .leftJoin('api_key as k', 'k.uid', 'h.key_uid')
    .select([
      'h.at',
      ACTOR_NAME.as('by'),
      'h.address',
      sql<RecordChange['action']>`(array_agg(h.action order by h.id))[1]`.as('action'),
      sql<StoredChanges[]>`jsonb_agg(${visible} order by h.id)`.as('changes'),
      sql<boolean>`bool_or(${isTakeover})`.as('isTakeover'),
    ])
    .groupBy([...ONE_CALL, 'u.name', 'k.uid'])
    .orderBy(({ fn }) => fn.max('h.id'), 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await db
    .selectFrom(entries.select(ONE_CALL).groupBy(ONE_CALL).as('calls'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { calls, total, keptSince: await keptSinceOf(db, query, since) }
}

/** The moment before which changes of a record were removed; undefined if the list is whole, from its creation on. */
async function keptSinceOf(db: Db, { records, uid }: HistoryQuery, since: SqlFragment): Promise<string | undefined> {
  const oldest = sql<{ at: string }>`
    select (select at from history order by id limit 1) as at
     where ${since} = 0 and not exists (
       select from history where table_name = ${records.table} and record_uid = ${uid} and action = 'created')`
  return (await oldest.execute(db)).rows[0]?.at
}
