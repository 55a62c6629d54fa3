import { type RecordChange, type historyEndpoint, isOutsider, type Page } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { DB } from '../db/schema.ts'
import type { Scope } from '../db/records/scope.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'

interface Recorded {
  table: string
  /** Columns that outsiders see nothing of. */
  staffColumns: readonly string[]
  get(db: Db, scope: Scope, uid: string): Promise<unknown>
}

/** Columns that hold another record's uid, and the table whose names people know it by. */
type References = Record<
  string,
  | 'address_set'
  | 'artwork_set'
  | 'client'
  | 'client_program'
  | 'market'
  | 'pixel_map'
  | 'pop_photo'
  | 'shift'
  | 'stored_file'
  | 'truck'
  | 'user_account'
>

type Value = RecordChange['fields'][number]['old']
type StoredChanges = Record<string, [old: Value, new: Value]>

/** Serves the History tab of one kind of record, for whoever may see the record itself. */
export function serveHistory(
  app: App,
  endpoint: ReturnType<typeof historyEndpoint>,
  of: Recorded,
  references: References = {},
) {
  serve(app, endpoint, async ({ db, scope, params, query }) => {
    await of.get(db, scope, params.uid)
    return changesOf(db, scope, of, params.uid, query, references)
  })
}

async function changesOf(
  db: Db,
  { actor }: Scope,
  { table, staffColumns }: Recorded,
  uid: string,
  { page, pageSize }: { page: number; pageSize: number },
  references: References,
): Promise<Page<RecordChange>> {
  const isOutside = isOutsider(actor)
  const told = isOutside ? sql<StoredChanges>`h.changes - ${staffColumns}::text[]` : sql<StoredChanges>`h.changes`
  const ofRecord = db
    .selectFrom('history as h')
    .where('h.table_name', '=', table)
    .where('h.record_uid', '=', uid)
    // Who may not read a note does not hear either that it was changed.
    .$if(isOutside, (all) => all.where(sql<boolean>`(h.action <> 'changed' or ${told} <> '{}')`))
  // What one call wrote, to the record and to its parts, carries the same time and is one change to people.
  const ofOneCall = ['h.at', 'h.actor_uid', 'h.address'] as const
  const rows = await ofRecord
    .leftJoin('user_account as u', 'u.uid', 'h.actor_uid')
    .select([
      'h.at',
      'u.name as by',
      'h.address',
      sql<RecordChange['action']>`(array_agg(h.action order by h.id))[1]`.as('action'),
      sql<StoredChanges[]>`jsonb_agg(${told} order by h.id)`.as('changes'),
    ])
    .groupBy([...ofOneCall, 'u.name'])
    .orderBy(({ fn }) => fn.max('h.id'), 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await db
    .selectFrom(ofRecord.select(ofOneCall).groupBy(ofOneCall).as('calls'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const changes = rows.map((row) => row.changes.flatMap((stored) => Object.entries(stored)))
  const names = await namesOf(db, changes.flat(), references)
  const shown = (column: string, value: Value) => inWords(value, column, references, names)
  const data = rows.map(({ at, action, by, address }, index): RecordChange => {
    const fields = (changes[index] ?? []).map(([column, [old, now]]) => ({
      field: fieldName(column),
      old: shown(column, old),
      new: shown(column, now),
    }))
    // From where staff works is no business of outsiders either.
    return { at, action, by, address: isOutside ? null : address, fields }
  })
  return { data, page, pageSize, total }
}

/** `home_market_uid` is `homeMarket` to people. */
const fieldName = (column: string) =>
  column.replace(/_uid$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

type Names = Map<string, string>
const nameKey = (table: string, uid: unknown) => `${table}/${String(uid)}`

const isParts = (value: unknown): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as people know it: names instead of uids, also in a part such as one of a program's markets, and there first. */
function inWords(value: Value, column: string, references: References, names: Names): Value {
  if (isParts(value)) {
    const parts = Object.entries(value).toSorted(
      ([one], [other]) => Number(other in references) - Number(one in references),
    )
    return Object.fromEntries(parts.map(([each, inner]) => [fieldName(each), inWords(inner, each, references, names)]))
  }
  const table = references[column]
  return table && value !== null ? (names.get(nameKey(table, value)) ?? value) : value
}

/** Where people know a record by another column than its name. */
const nameColumns: Partial<Record<References[string], string>> = {
  pop_photo: 'original_name',
  shift: 'local_date',
  stored_file: 'original_name',
  truck: 'number',
}

async function namesOf(db: Db, changes: [string, [Value, Value]][], references: References): Promise<Names> {
  const names: Names = new Map()
  const columns = changes
    .flatMap(([column, values]) => values.map((value): [string, Value] => [column, value]))
    .flatMap(([column, value]) => (isParts(value) ? Object.entries(value) : [[column, value] as [string, Value]]))
  for (const table of new Set(Object.values(references))) {
    const uids = columns.filter(([column, value]) => references[column] === table && value !== null)
    if (uids.length === 0) continue
    const found = await db
      .selectFrom(table as 'market' satisfies keyof DB)
      .select(['uid', sql<string>`${sql.ref(nameColumns[table] ?? 'name')}`.as('name')])
      .where('uid', 'in', [...new Set(uids.map(([, uid]) => uid as string))])
      .execute()
    for (const { uid, name } of found) names.set(nameKey(table, uid), name)
  }
  return names
}
