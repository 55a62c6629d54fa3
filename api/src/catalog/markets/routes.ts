import zoneAt from '@photostructure/tz-lookup'
import { type BodyOf, type Market, markets, type QueryOf } from '@roadshow/contract'
import { refuseIfPlanned } from '../in-use/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type Deletion, serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { milesColumn } from '../../platform/spreadsheet/columns.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { type ListSheet, listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { hasShifts, marketRecords, namesUsingMarket } from './queries.ts'
import { marketRemovalProblem } from './rules.ts'

const marketSheet: ListSheet<Market, QueryOf<typeof markets.list>> = {
  name: 'markets',
  columns: {
    Name: (market) => market.name,
    State: (market) => market.state,
    Zone: (market) => market.zone,
    Latitude: (market) => market.latitude,
    Longitude: (market) => market.longitude,
    'Radius (miles)': milesColumn(({ radiusM }) => radiusM),
    Outline: ({ outline }) => (outline ? `${outline.length} corners` : ''),
    Depots: ({ depots }) => depots.map(({ name }) => name).join(', '),
  },
  filters: async () => [],
}

const toMarketRow = ({ radiusM, outline, depots, ...input }: BodyOf<typeof markets.create>) => ({
  ...input,
  radius_m: radiusM,
  outline: outline && JSON.stringify(outline),
  depots: JSON.stringify(depots),
})

/** Changes a market. The zone of one with shifts is changed from a day on, by a call of planning. */
const updateMarket = (
  db: Db,
  scope: Scope,
  { uid, version, ...input }: BodyOf<typeof markets.update>,
): Promise<Market> =>
  inTransaction(db, async (db) => {
    await marketRecords.lockRow(db, uid)
    const saved = await marketRecords.find(db, scope, uid)
    if (!saved || saved.zone === input.zone) return marketRecords.update(db, scope, uid, version, toMarketRow(input))
    if (await hasShifts(db, uid)) {
      refuseFields({ zone: 'This market has shifts. Choose the day from which another time zone holds.' })
    }
    return marketRecords.update(db, scope, uid, version, { ...toMarketRow(input), earlier_zones: '[]' })
  })

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
  serve(
    app,
    markets.create,
    byBody((db, scope, body) => marketRecords.create(db, scope, toMarketRow(body))),
  )
  serve(app, markets.update, byBody(updateMarket))
  serveDeletion(app, markets, marketDeletion)
  serve(app, markets.zone, async ({ query }) => ({ data: { zone: zoneAt(query.latitude, query.longitude) } }))
  serveHistory(app, markets.history, marketRecords)
}
