import { auditLog } from '@roadshow/contract'
import type { App } from '../http/app.ts'
import { listOrExport } from '../http/lists.ts'
import { serve } from '../http/serve.ts'
import { auditSheet, entries } from './queries.ts'

export function auditLogRoutes(app: App): void {
  serve(app, auditLog.list, (call) => listOrExport(call, entries, auditSheet))
}
