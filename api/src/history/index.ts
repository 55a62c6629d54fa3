import type { Change, historyOf, Page } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { DB } from '../db/schema.ts'
import type { Scope } from '../db/scope.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'

interface Recorded {
  table: string
  get(db: Db, scope: Scope, uid: string): Promise<unknown>
}

/** Columns that hold another record's uid, and the table whose names people know it by. */
type References = Record<string, 'market' | 'user_account'>

type StoredChanges = Record<string, [old: Change['fields'][number]['old'], new: Change['fields'][number]['new']]>

/** Serves the History tab of one kind of record, for whoever may see the record itself. */
export function serveHistory(app: App, endpoint: ReturnType<typeof historyOf>, of: Recorded, references: References = {}) {
  serve(app, endpoint, async ({ db, scope, params, query }) => {
    await of.get(db, scope as Scope, params.uid)
    return changesOf(db, of.table, params.uid, query, references)
  })
}

async function changesOf(
  db: Db,
  table: string,
  uid: string,
  { page, pageSize }: { page: number; pageSize: number },
  references: References,
): Promise<Page<Change>> {
  const ofRecord = db.selectFrom('history as h').where('h.table_name', '=', table).where('h.record_uid', '=', uid)
  const rows = await ofRecord
    .leftJoin('user_account as u', 'u.uid', 'h.actor_uid')
    .select(['h.at', 'h.action', 'u.name as by', 'h.address', 'h.changes'])
    .orderBy('h.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await ofRecord.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const changes = rows.map((row) => row.changes as unknown as StoredChanges)
  const names = await namesOf(db, changes, references)
  const data = rows.map(({ at, action, by, address }, index): Change => {
    const fields = Object.entries(changes[index] ?? {}).map(([column, [old, now]]) => ({
      field: fieldName(column),
      old: named(names, references[column], old),
      new: named(names, references[column], now),
    }))
    return { at, action: action as Change['action'], by, address, fields }
  })
  return { data, page, pageSize, total }
}

/** `home_market_uid` is `homeMarket` to people. */
const fieldName = (column: string) =>
  column.replace(/_uid$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

type Names = Map<string, string>
const nameKey = (table: string, uid: unknown) => `${table}/${String(uid)}`

const named = (names: Names, table: string | undefined, value: StoredChanges[string][0]) =>
  table && value !== null ? (names.get(nameKey(table, value)) ?? value) : value

async function namesOf(db: Db, changes: StoredChanges[], references: References): Promise<Names> {
  const names: Names = new Map()
  for (const table of new Set(Object.values(references))) {
    const columns = Object.keys(references).filter((column) => references[column] === table)
    const uids = changes.flatMap((change) => columns.flatMap((column) => change[column] ?? [])).filter(Boolean)
    if (uids.length === 0) continue
    const found = await db
      .selectFrom(table as 'market' satisfies keyof DB)
      .select(['uid', 'name'])
      .where('uid', 'in', uids as string[])
      .execute()
    for (const { uid, name } of found) names.set(nameKey(table, uid), name)
  }
  return names
}
