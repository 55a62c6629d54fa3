import { shifts } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { byUid } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { shiftDetailSheet } from './export.ts'
import { shiftDetailsFor } from './queries.ts'
import { trackOfShift } from './track.ts'
import { loadWorkTotals } from './worked-shifts.ts'

export function shiftDetailRoutes(app: App): void {
  serve(app, shifts.workTotals, async ({ db, scope, query }) => ({ data: await loadWorkTotals(db, scope, query) }))

  serve(app, shifts.details, (call) => listOrExport(call, shiftDetailsFor(call.scope), shiftDetailSheet))

  serve(app, shifts.track, byUid(trackOfShift))
}
