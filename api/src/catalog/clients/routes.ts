import { clients } from '@roadshow/contract'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { clientSheet } from './export.ts'
import { clientRecords } from './queries.ts'
import { clientDeletion, createClient, updateClient } from './save.ts'

export function clientRoutes(app: App): void {
  serve(app, clients.list, (call) => listOrExport(call, clientRecords, clientSheet))
  serve(app, clients.get, byUid(clientRecords.get))
  serve(app, clients.create, byBody(createClient))
  serve(app, clients.update, byBody(updateClient))
  serveDeletion(app, clients, clientDeletion)
  const withLogo = { ...clientRecords, outsiderColumns: [...clientRecords.outsiderColumns, 'logo_file_uid'] }
  serveHistory(app, clients.history, withLogo, { logo_file_uid: 'stored_file' })
}
