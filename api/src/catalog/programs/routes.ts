import { programs } from '@roadshow/contract'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { programSheet } from './export.ts'
import { programRecords } from './queries.ts'
import { copyProgram, createProgram, removeProgram, updateProgram } from './save.ts'

export function programRoutes(app: App): void {
  serve(app, programs.list, (call) => listOrExport(call, programRecords, programSheet))
  serve(app, programs.get, byUid(programRecords.get))
  serve(app, programs.create, byBody(createProgram))
  serve(app, programs.update, byBody(updateProgram))
  serve(app, programs.copy, byBody(copyProgram))
  serve(app, programs.remove, byUid(removeProgram))

  // Clients do not read who or which shift lowered their figures.
  const withFigures = { ...programRecords, staffColumns: [...programRecords.staffColumns, 'figures'] }
  serveHistory(app, programs.history, withFigures, { client_uid: 'client', market_uid: 'market', truck_uid: 'truck' })
}
