import type { QueryOf, ReplyOf, ErrorLogEntry, errorLog } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { logList } from '../../platform/db/records/log-list.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'

type Query = QueryOf<typeof errorLog.list>

const TEXT = 300

/** What an error says of itself, or whatever was sent. */
const textOf = sql<string>`left(case json_typeof(w.error)
  when 'string' then w.error::text
  when 'object' then coalesce((w.error -> 'message')::text, w.error::text)
  else coalesce(w.error::text, '') end, ${sql.lit(TEXT)})`

const entries = (db: Db) =>
  db
    .selectFrom('web_log as w')
    .leftJoin('user_account as u', 'u.uid', 'w.user_uid')
    .select([
      'w.uid',
      'w.at',
      'w.error_origin',
      'w.address',
      'w.user_agent',
      'u.uid as user_uid',
      'u.name as user_name',
    ])
    .select(textOf.as('text'))

type Row = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number]

const entryOf = (row: Row): ErrorLogEntry => ({
  uid: row.uid,
  at: row.at,
  errorOrigin: row.error_origin,
  text: plain(row.text),
  user: row.user_uid && row.user_name ? { uid: row.user_uid, name: row.user_name } : null,
  address: row.address ?? '',
  userAgent: row.user_agent ?? '',
})

/** The text is JSON: `->>` and jsonb refuse characters that a report may hold. */
function plain(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json.replace(/^"/, '')
  }
}

/** The reports as a list. They are kept 30 days. */
export const errorLogEntries = logList({
  rows: (db, _query: Query) => entries(db),
  searched: sql<string>`concat_ws(' ', w.error_origin, w.error::text, u.name)`,
  entryOf,
})

export const errorLogSheet = {
  name: 'web-log',
  columns: {
    At: timeColumn((entry: ErrorLogEntry) => entry.at),
    Origin: (entry: ErrorLogEntry) => entry.errorOrigin,
    Error: (entry: ErrorLogEntry) => entry.text,
    User: (entry: ErrorLogEntry) => entry.user?.name ?? '',
    Address: (entry: ErrorLogEntry) => entry.address,
    Browser: (entry: ErrorLogEntry) => entry.userAgent,
  },
  filters: async () => [],
}

export async function getErrorLogEntry(db: Db, uid: string): Promise<ReplyOf<typeof errorLog.get>['data']> {
  const row = await entries(db).select(['w.error', 'w.meta']).where('w.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return { ...entryOf(row), error: row.error, meta: row.meta }
}
