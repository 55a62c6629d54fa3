import { type RecordChange, type historyEndpoint, isOutsider, type Page } from '@roadshow/contract'
import { sql } from 'kysely'
import { ACTOR_NAME } from '../db/actor-name.ts'
import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { describeValue, toFieldName, type HistoryReferences, loadNames, type StoredChanges } from './names.ts'

interface RecordsWithHistory {
  table: string
  /** Columns that are hidden from outsiders. */
  staffColumns: readonly string[]
  get(db: Db, scope: Scope, uid: string): Promise<unknown>
}

/** Serves the History tab of one kind of record, to users who may see the record itself. */
export function serveHistory(
  app: App,
  endpoint: ReturnType<typeof historyEndpoint>,
  records: RecordsWithHistory,
  references: HistoryReferences = {},
) {
  const { nameColumns } = app.kernel
  serve(app, endpoint, async ({ db, scope, params, query }) => {
    await records.get(db, scope, params.uid)
    const isOutside = isOutsider(scope.actor)
    const { calls, total } = await loadCalls(db, { records, uid: params.uid, isOutside, ...query })
    const changes = calls.map((call) => call.changes.flatMap((stored) => Object.entries(stored)))
    const names = await loadNames(db, changes.flat(), { references, nameColumns })
    const data = calls.map(({ at, action, by, address }, index): RecordChange => {
      const fields = (changes[index] ?? []).map(([column, [before, after]]) => ({
        field: toFieldName(column),
        old: describeValue(before, column, references, names),
        new: describeValue(after, column, references, names),
      }))
      // The addresses that staff work from are hidden from outsiders too.
      return { at, action, by, address: isOutside ? null : address, fields }
    })
    return { data, page: query.page, pageSize: query.pageSize, total } satisfies Page<RecordChange>
  })
}

interface HistoryQuery {
  records: RecordsWithHistory
  uid: string
  isOutside: boolean
  page: number
  pageSize: number
}

/** Everything that one call wrote, to the record and to its parts, carries the same time and is shown as one change. */
const ONE_CALL = ['h.at', 'h.actor_uid', 'h.key_uid', 'h.address'] as const

async function loadCalls(db: Db, { records, uid, isOutside, page, pageSize }: HistoryQuery) {
  const visible = isOutside
    ? sql<StoredChanges>`h.changes - ${records.staffColumns}::text[]`
    : sql<StoredChanges>`h.changes`
  const entries = db
    .selectFrom('history as h')
    .where('h.table_name', '=', records.table)
    .where('h.record_uid', '=', uid)
    // A user who may not read a note does not learn either that it changed.
    .$if(isOutside, (all) => all.where(sql<boolean>`(h.action <> 'changed' or ${visible} <> '{}')`))
  const calls = await entries
    .leftJoin('user_account as u', 'u.uid', 'h.actor_uid')
    .leftJoin('api_key as k', 'k.uid', 'h.key_uid')
    .select([
      'h.at',
      ACTOR_NAME.as('by'),
      'h.address',
      sql<RecordChange['action']>`(array_agg(h.action order by h.id))[1]`.as('action'),
      sql<StoredChanges[]>`jsonb_agg(${visible} order by h.id)`.as('changes'),
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
  return { calls, total }
}
