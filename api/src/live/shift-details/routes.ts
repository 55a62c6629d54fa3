import { shifts } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { shiftDetailSheet } from './export.ts'
import { shiftDetailsFor } from './queries.ts'
import { loadWorkTotals } from './worked-shifts.ts'

export function shiftDetailRoutes(app: App): void {
  serve(app, shifts.workTotals, async ({ db, scope, query }) => ({ data: await loadWorkTotals(db, scope, query) }))

  serve(app, shifts.details, (call) => listOrExport(call, shiftDetailsFor(call.scope), shiftDetailSheet))
}
