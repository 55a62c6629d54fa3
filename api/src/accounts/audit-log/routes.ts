import { auditLog } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { auditSheet, auditEntries } from './queries.ts'

export function auditLogRoutes(app: App): void {
  serve(app, auditLog.list, (call) => listOrExport(call, auditEntries, auditSheet))
}
