import {
  type ChangeKind,
  changeKindNames,
  changeKinds,
  type changes,
  type FeedChange,
  formatDay,
  localDay,
  type Page,
  type QueryOf,
  rowAccessFor,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { ACTOR_NAME } from '../../platform/db/actor-name.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { officeZone } from '../../platform/db/office-zone.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { describeChanges, type StoredChanges } from '../../platform/history/index.ts'
import type { Kernel } from '../../platform/http/app.ts'

type Query = QueryOf<typeof changes.list>

/** The kinds whose whole history the user may read. */
const readableKinds = (actor: Actor, { histories }: Kernel): ChangeKind[] =>
  changeKindNames.filter((kind) => {
    const served = histories.get(changeKinds[kind].table)
    return served !== undefined && rowAccessFor(actor, served.access) === 'all'
  })

/** A page of changes on some days, newest first: what one call wrote to a record and its parts is one change. */
export async function pageOfChanges(db: Db, actor: Actor, query: Query, kernel: Kernel): Promise<Page<FeedChange>> {
  const { page, pageSize, kind, by, record } = query
  const zone = query.timeZone ?? (await officeZone(db))
  const today = localDay(zone, await sharedNow(db))
  const from = query.from ?? query.to ?? today
  const to = query.to ?? (query.from && query.from > today ? query.from : today)
  const kinds = readableKinds(actor, kernel).filter((each) => !kind || kind.includes(each))
  const tables = kinds.map((each) => changeKinds[each].table as string)
  let entries = db
    .selectFrom('history as h')
    .where('h.table_name', '=', sql<string>`any(${tables}::text[])`)
    .where('h.at', '>=', sql<string>`${from}::timestamp at time zone ${zone}`)
    .where('h.at', '<', sql<string>`(${to}::date + 1)::timestamp at time zone ${zone}`)
  if (by) entries = entries.where('h.actor_uid', 'in', by)
  if (record) entries = entries.where('h.record_uid', 'in', record)
  const found = await entries
    .leftJoin('user_account as u', 'u.uid', 'h.actor_uid')
    .leftJoin('api_key as k', 'k.uid', 'h.key_uid')
    .select([
      'h.at',
      'h.table_name as table',
      'h.record_uid as uid',
      'h.actor_uid as byUid',
      'h.address',
      ACTOR_NAME.as('by'),
    ])
    .select([
      sql<FeedChange['action']>`(array_agg(h.action order by h.id))[1]`.as('action'),
      sql<StoredChanges[]>`jsonb_agg(h.changes order by h.id)`.as('changes'),
    ])
    .groupBy(['h.at', 'h.table_name', 'h.record_uid', 'h.actor_uid', 'h.key_uid', 'h.address', 'u.name', 'k.uid'])
    .orderBy(({ fn }) => fn.max('h.id'), 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const grouped = entries.select(['h.at', 'h.record_uid', 'h.actor_uid', 'h.key_uid', 'h.address']).distinct()
  const { total } = await db
    .selectFrom(grouped.as('calls'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const names = await loadRecordNames(db, found, kernel)
  const fields = await describeChanges(
    db,
    found.map((row) => ({ changes: row.changes, references: kernel.histories.get(row.table)?.references ?? {} })),
    kernel.nameColumns,
  )
  const data = found.map((row, index): FeedChange => ({
    at: row.at,
    action: row.action,
    by: row.by,
    byUid: row.byUid,
    address: row.address,
    fields: fields[index] ?? [],
    kind: kinds.find((each) => changeKinds[each].table === row.table) ?? 'shift',
    record: { uid: row.uid, name: names.get(`${row.table} ${row.uid}`) ?? '' },
  }))
  return { data, page, pageSize, total }
}

/** The names of records, deleted ones included: of a shift its truck and day, of a POP its program. */
async function loadRecordNames(
  db: Db,
  rows: readonly { table: string; uid: string }[],
  { nameColumns }: Kernel,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const table of new Set(rows.map((row) => row.table))) {
    const uids = [...new Set(rows.filter((row) => row.table === table).map(({ uid }) => uid))]
    const column = nameColumns[table as keyof typeof nameColumns] ?? 'name'
    const source =
      namesIn[table] ??
      sql<NamedRow>`select uid, ${sql.ref(column)}::text as name, null as day from ${sql.table(table)}`
    const { rows: found } =
      await sql<NamedRow>`select n.* from (${source}) n where n.uid = any(${uids}::uuid[])`.execute(db)
    for (const { uid, name, day } of found)
      names.set(`${table} ${uid}`, day === null ? name : [name, formatDay(day)].filter(Boolean).join(', '))
  }
  return names
}

interface NamedRow {
  uid: string
  name: string
  day: string | null
}

const namesIn: Record<string, ReturnType<typeof sql<NamedRow>>> = {
  shift: sql`select s.uid, concat(t.number, coalesce(', ' || d.name, '')) as name, s.local_date as day
               from shift s join truck t on t.uid = s.truck_uid left join user_account d on d.uid = s.driver_uid`,
  pop: sql`select uid, name, null::date as day from client_program`,
  pay_period: sql`select uid, '' as name, starts_on as day from pay_period`,
  truck_issue: sql`select i.uid, t.number as name, null::date as day from truck_issue i join truck t on t.uid = i.truck_uid`,
  device: sql`select uid, mac_address as name, null::date as day from device`,
}
