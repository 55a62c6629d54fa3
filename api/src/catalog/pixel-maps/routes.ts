import { pixel } from '@roadshow/contract'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { pixelMapSheet } from './export.ts'
import { pixelMapRecords } from './queries.ts'
import { removePixelMap, toPixelMapRow } from './save.ts'

export function pixelMapRoutes(app: App): void {
  serve(app, pixel.list, (call) => listOrExport(call, pixelMapRecords, pixelMapSheet))

  serve(app, pixel.get, async ({ db, scope, params }) => ({ data: await pixelMapRecords.get(db, scope, params.uid) }))

  serve(app, pixel.create, async ({ db, scope, body }) => ({
    data: await pixelMapRecords.create(db, scope, toPixelMapRow(body)),
  }))

  serve(app, pixel.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await pixelMapRecords.update(db, scope, uid, version, toPixelMapRow(input)),
  }))

  serve(app, pixel.remove, async ({ db, scope, params }) => ({
    data: await removePixelMap(db, scope, params.uid),
  }))

  serveHistory(app, pixel.history, pixelMapRecords)
}
