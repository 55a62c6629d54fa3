import { programs } from '@roadshow/contract'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { programSheet } from './export.ts'
import { programRecords } from './queries.ts'
import { copyProgram } from './copy.ts'
import { createProgram, removeProgram, updateProgram } from './save.ts'

export function programRoutes(app: App): void {
  serve(app, programs.list, (call) => listOrExport(call, programRecords, programSheet))

  serve(app, programs.get, async ({ db, scope, params }) => ({ data: await programRecords.get(db, scope, params.uid) }))

  serve(app, programs.create, async ({ db, scope, body }) => ({ data: await createProgram(db, scope, body) }))

  serve(app, programs.update, async ({ db, scope, body }) => ({ data: await updateProgram(db, scope, body) }))

  serve(app, programs.copy, async ({ db, scope, body }) => ({ data: await copyProgram(db, scope, body) }))

  serve(app, programs.remove, async ({ db, scope, params }) => ({ data: await removeProgram(db, scope, params.uid) }))

  // Clients do not read who or which shift lowered their figures.
  const withFigures = { ...programRecords, staffColumns: [...programRecords.staffColumns, 'figures'] }
  serveHistory(app, programs.history, withFigures, { client_uid: 'client', market_uid: 'market', truck_uid: 'truck' })
}
