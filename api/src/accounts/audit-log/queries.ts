import type { FastifyRequest } from 'fastify'
import {
  type AuditEntry,
  type AuditKind,
  auditKindLabel,
  type auditLog,
  kindOfTable,
  type QueryOf,
  type RecordTable,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { ACTOR_NAME } from '../../platform/db/actor-name.ts'
import type { Db } from '../../platform/db/connection.ts'
import { logList } from '../../platform/db/records/log-list.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
import type { AuditEvent } from '../../platform/http/app.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'
import type { ListSheet } from '../../platform/spreadsheet/list-or-export.ts'

type Query = QueryOf<typeof auditLog.list>

// Long names and filters are cut off.
const MAX_TEXT = 2000
const MAX_AGENT = 300

/**
 * Adds an entry, which the database protects from changes. It is written outside the call's transaction, so that refused
 * attempts are recorded too, and its failure does not fail the call.
 */
export const createAuditor =
  (db: Db) =>
  async (request: FastifyRequest, { kind, actorUid, subject = '', detail = '' }: AuditEvent): Promise<void> => {
    try {
      await db
        .insertInto('audit_log')
        .values({
          kind,
          actor_uid: actorUid ?? null,
          key_uid: request.scope?.actor.key?.uid ?? null,
          subject: subject.slice(0, MAX_TEXT),
          detail: detail.slice(0, MAX_TEXT),
          address: request.ip,
          user_agent: (request.headers['user-agent'] ?? '').slice(0, MAX_AGENT),
          request_id: request.id,
        })
        .execute()
    } catch (error) {
      request.log.error({ err: error, kind }, 'not in the audit log')
    }
  }

/** Adds an entry in the transaction of what it is about, which no call is behind any more. */
export const noteAsSystem = (db: Db, { kind, subject = '', detail = '' }: Omit<AuditEvent, 'actorUid'>) =>
  db.insertInto('audit_log').values({ kind, subject, detail }).execute()

/** Days are those of the zone that is asked for. */
function rows(db: Db, { kind, by, from, to, timeZone = 'UTC' }: Query) {
  let query = db
    .selectFrom('audit_trail as a')
    .leftJoin('user_account as u', 'u.uid', 'a.actor_uid')
    .leftJoin('api_key as k', 'k.uid', 'a.key_uid')
    .select(['a.uid', 'a.at', 'a.kind', 'a.subject', 'a.detail', 'a.address', 'a.user_agent', 'a.request_id'])
    .select(['a.record_table', 'a.record_uid'])
    .select(['u.uid as by_uid', ACTOR_NAME.as('by_name')])
  if (kind) query = query.where('a.kind', 'in', kind)
  if (by) query = query.where('a.actor_uid', 'in', by)
  if (from) query = query.where('a.at', '>=', sql<string>`${from}::timestamp at time zone ${timeZone}`)
  if (to) query = query.where('a.at', '<', sql<string>`(${to}::date + 1)::timestamp at time zone ${timeZone}`)
  return query
}

const recordOf = (table: string | null, uid: string | null): AuditEntry['record'] =>
  table !== null && uid !== null && table in kindOfTable ? { kind: kindOfTable[table as RecordTable], uid } : null

export const auditEntries = logList({
  rows,
  searched: sql<string>`concat_ws(' ', u.name, k.name, a.subject, a.detail, a.address, a.request_id)`,
  entryOf: (row): AuditEntry => ({
    uid: row.uid ?? '',
    at: row.at ?? '',
    kind: row.kind as AuditKind,
    by: namedRefOf(row.by_uid, row.by_name),
    subject: row.subject ?? '',
    detail: row.detail ?? '',
    address: row.address ?? '',
    userAgent: row.user_agent ?? '',
    requestId: row.request_id ?? '',
    record: recordOf(row.record_table, row.record_uid),
  }),
})

export const auditSheet: ListSheet<AuditEntry, Query> = {
  name: 'audit-log',
  columns: {
    At: timeColumn((entry) => entry.at),
    What: (entry) => auditKindLabel[entry.kind],
    By: (entry) => entry.by?.name ?? '',
    Subject: (entry) => entry.subject,
    Detail: (entry) => entry.detail,
    Address: (entry) => entry.address,
    Browser: (entry) => entry.userAgent,
    Request: (entry) => entry.requestId,
  },
  filters: async (db, _scope, { kind, by, from, to }) => {
    const people = by ? await db.selectFrom('user_account').select('name').where('uid', 'in', by).execute() : []
    return [
      ...(kind ? [`what: ${kind.map((each) => auditKindLabel[each]).join(', ')}`] : []),
      ...(by ? [`by: ${people.map(({ name }) => name).join(', ')}`] : []),
      ...(from ? [`from: ${from}`] : []),
      ...(to ? [`to: ${to}`] : []),
    ]
  },
}
