import { programs } from '@roadshow/contract'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { programSheet } from './export.ts'
import { programRecords } from './queries.ts'
import { copyProgram, createProgram, programDeletion, updateProgram } from './save.ts'

export function programRoutes(app: App): void {
  serve(app, programs.list, (call) => listOrExport(call, programRecords, programSheet))
  serve(app, programs.get, byUid(programRecords.get))
  serve(app, programs.create, byBody(createProgram))
  serve(app, programs.update, byBody(updateProgram))
  serve(app, programs.copy, byBody(copyProgram))
  serveDeletion(app, programs, programDeletion)

  // Clients do not read who or which shift lowered their figures.
  // Parts of a program are kept under the name of one. Figures are for staff.
  const withParts = {
    ...programRecords,
    outsiderColumns: [...programRecords.outsiderColumns, 'market', 'booked_line', 'rotation_line', 'proposal'],
  }
  serveHistory(app, programs.history, withParts, {
    client_uid: 'client',
    market_uid: 'market',
    truck_uid: 'truck',
    artwork_set_uid: 'artwork_set',
  })
}
