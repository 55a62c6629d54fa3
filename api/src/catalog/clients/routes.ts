import { clients } from '@roadshow/contract'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { clientSheet } from './export.ts'
import { clientRecords } from './queries.ts'
import { createClient, removeClient, updateClient } from './save.ts'

export function clientRoutes(app: App): void {
  serve(app, clients.list, (call) => listOrExport(call, clientRecords, clientSheet))

  serve(app, clients.get, async ({ db, scope, params }) => ({ data: await clientRecords.get(db, scope, params.uid) }))

  serve(app, clients.create, async ({ db, scope, body }) => ({
    data: await createClient(db, scope, body),
  }))

  serve(app, clients.update, async ({ db, scope, body }) => ({ data: await updateClient(db, scope, body) }))

  serve(app, clients.remove, async ({ db, scope, params }) => ({ data: await removeClient(db, scope, params.uid) }))

  serveHistory(app, clients.history, clientRecords, { logo_file_uid: 'stored_file' })
}
