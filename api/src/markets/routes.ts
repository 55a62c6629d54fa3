import { markets } from '@roadshow/contract'
import type { App } from '../http/app.ts'
import { listOrExport } from '../http/lists.ts'
import { serve } from '../http/serve.ts'
import { marketRecords } from './queries.ts'

export function marketRoutes(app: App): void {
  serve(app, markets.list, (call) =>
    listOrExport(call, marketRecords, {
      name: 'markets',
      columns: { Name: (m) => m.name, State: (m) => m.state, Zone: (m) => m.zone },
      filters: async () => [],
    }),
  )
}
