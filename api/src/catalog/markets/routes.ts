import zoneAt from '@photostructure/tz-lookup'
import { markets } from '@roadshow/contract'
import { refuseIfPlanned } from '../in-use/index.ts'
import { type Deletion, serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { marketSheet } from './export.ts'
import { marketRecords, namesUsingMarket } from './queries.ts'
import { marketRemovalProblem } from './rules.ts'
import { createMarket, updateMarket } from './save.ts'

const marketDeletion: Deletion = {
  kind: 'market',
  records: marketRecords,
  async refuse(db, _scope, uid) {
    const problem = marketRemovalProblem(await namesUsingMarket(db, uid))
    if (problem) throw problem
    await refuseIfPlanned(db, 'market_uid', uid, { what: 'market' })
  },
}

export function marketRoutes(app: App): void {
  serve(app, markets.list, (call) => listOrExport(call, marketRecords, marketSheet))
  serve(app, markets.get, byUid(marketRecords.get))
  serve(app, markets.create, byBody(createMarket))
  serve(app, markets.update, byBody(updateMarket))
  serveDeletion(app, markets, marketDeletion)
  serve(app, markets.zone, async ({ query }) => ({ data: { zone: zoneAt(query.latitude, query.longitude) } }))
  serveHistory(app, markets.history, marketRecords)
}
