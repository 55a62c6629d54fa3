import { shifts } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { shiftDetailSheet } from './export.ts'
import { shiftDetailRecords } from './queries.ts'

export function shiftDetailRoutes(app: App): void {
  serve(app, shifts.details, (call) => listOrExport(call, shiftDetailRecords, shiftDetailSheet))
}
