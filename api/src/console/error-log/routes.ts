import { type BodyOf, errorLog } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { bearerOf, type SessionUser } from '../../platform/http/session.ts'
import { getErrorLogEntry, errorLogEntries, errorLogSheet } from './queries.ts'

/** Reports taken from one address in a minute; a page in an error loop must not fill the disk. */
const REPORTS_A_MINUTE = 30

interface From {
  user: SessionUser | undefined
  address: string
  userAgent: string
}

export function errorLogRoutes(app: App): void {
  serve(app, errorLog.report, async ({ db, body, request }) => {
    // The token is used to find its user, and forgotten.
    const { token = bearerOf(request), ...report } = body
    const user = token ? await app.kernel.readSession(token) : undefined
    const from = { user, address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
    return { data: { uid: await keepError(db, user && token ? without(token, report) : report, from) } }
  })

  serve(app, errorLog.list, (call) => listOrExport(call, errorLogEntries, errorLogSheet))

  serve(app, errorLog.get, async ({ db, params }) => ({ data: await getErrorLogEntry(db, params.uid) }))
}

type SentError = Omit<BodyOf<typeof errorLog.report>, 'token'>

/** An error may repeat the request it comes from, token and all. */
const without = (token: string, report: SentError): SentError =>
  JSON.parse(JSON.stringify(report).replaceAll(token, '(token)')) as SentError

async function keepError(db: Db, report: SentError, from: From): Promise<string> {
  const { rows } = await sql<{ uid: string }>`
    insert into web_log (error_origin, error, meta, user_uid, session_uid, address, user_agent)
    select ${report.errorOrigin}, ${JSON.stringify(report.error ?? null)}, ${JSON.stringify(report.meta ?? {})},
           ${from.user?.uid ?? null}::uuid, ${from.user?.sessionUid ?? null}::uuid, ${from.address},
           ${from.userAgent.slice(0, 300)}
     where (select count(*) from web_log where address = ${from.address} and at > now() - interval '1 minute')
           < ${REPORTS_A_MINUTE}
    returning uid`.execute(db)
  if (!rows[0]) throw new AppError('tooMany', { retryAfter: 60 })
  return rows[0].uid
}
