import zoneAt from '@photostructure/tz-lookup'
import { type Market, markets } from '@roadshow/contract'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { milesColumn } from '../../platform/spreadsheet/columns.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { marketRecords } from './queries.ts'
import { removeMarket, toMarketRow } from './save.ts'

const marketSheet = {
  name: 'markets',
  columns: {
    Name: (market: Market) => market.name,
    State: (market: Market) => market.state,
    Zone: (market: Market) => market.zone,
    Latitude: (market: Market) => market.latitude,
    Longitude: (market: Market) => market.longitude,
    'Radius (miles)': milesColumn(({ radiusM }: Market) => radiusM),
    Outline: ({ outline }: Market) => (outline ? `${outline.length} corners` : ''),
    Depots: ({ depots }: Market) => depots.map(({ name }) => name).join(', '),
  },
  filters: async () => [],
}

export function marketRoutes(app: App): void {
  serve(app, markets.list, (call) => listOrExport(call, marketRecords, marketSheet))

  serve(app, markets.get, async ({ db, scope, params }) => ({ data: await marketRecords.get(db, scope, params.uid) }))

  serve(app, markets.create, async ({ db, scope, body }) => ({
    data: await marketRecords.create(db, scope, toMarketRow(body)),
  }))

  serve(app, markets.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await marketRecords.update(db, scope, uid, version, toMarketRow(input)),
  }))

  serve(app, markets.remove, async ({ db, scope, params }) => ({ data: await removeMarket(db, scope, params.uid) }))

  serve(app, markets.zone, async ({ query }) => ({ data: { zone: zoneAt(query.latitude, query.longitude) } }))

  serveHistory(app, markets.history, marketRecords)
}
