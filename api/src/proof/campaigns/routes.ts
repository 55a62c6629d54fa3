import { campaigns } from '@roadshow/contract'
import { exportPlays } from '../../live/plays/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { pageOfCampaigns } from './queries.ts'
import { campaignTrucks } from './trucks.ts'

export function campaignRoutes(app: App, context: AppContext): void {
  const parquet = parquetOf(context)

  serve(app, campaigns.list, ({ db, scope, query }) => pageOfCampaigns(db, scope, query))

  serve(app, campaigns.trucks, async ({ db, scope, query }) => ({
    data: await campaignTrucks(db, scope, query.program),
  }))

  serve(app, campaigns.adLog, ({ db, scope, params: { uid } }) =>
    exportPlays({ db, parquet }, scope, { program: uid, sort: 'startedAt', page: 1, pageSize: 1, format: 'csv' }),
  )
}
