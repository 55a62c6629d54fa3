import { type BodyOf, pixel } from '@roadshow/contract'
import { type Deletion, serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { pixelMapSheet } from './export.ts'
import { pixelMapRecords, trucksWithPixelMap } from './queries.ts'
import { pixelMapRemovalProblem } from './rules.ts'

const toPixelMapRow = ({ pitchUm, ...input }: BodyOf<typeof pixel.create>) => ({ ...input, pitch_um: pitchUm })

const pixelMapDeletion: Deletion = {
  kind: 'pixelMap',
  records: pixelMapRecords,
  async refuse(db, _scope, uid) {
    const problem = pixelMapRemovalProblem(await trucksWithPixelMap(db, uid))
    if (problem) throw problem
  },
}

export function pixelMapRoutes(app: App): void {
  serve(app, pixel.list, (call) => listOrExport(call, pixelMapRecords, pixelMapSheet))
  serve(app, pixel.get, byUid(pixelMapRecords.get))
  serve(
    app,
    pixel.create,
    byBody((db, scope, body) => pixelMapRecords.create(db, scope, toPixelMapRow(body))),
  )
  serve(app, pixel.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await pixelMapRecords.update(db, scope, uid, version, toPixelMapRow(input)),
  }))
  serveDeletion(app, pixel, pixelMapDeletion)
  serveHistory(app, pixel.history, pixelMapRecords)
}
