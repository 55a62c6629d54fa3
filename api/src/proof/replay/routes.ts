import { replays } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { loadReplay } from './replay.ts'
import { trackFile } from './track-file.ts'
import { replayTrucks } from './trucks.ts'

export function replayRoutes(app: App, context: AppContext): void {
  const parquet = parquetOf(context)

  serve(app, replays.get, async ({ db, scope, query }) => ({
    data: await loadReplay({ db, parquet }, scope, { ...query, now: await sharedNow(db) }),
  }))
  serve(app, replays.track, async ({ db, scope, query }) =>
    trackFile(db, scope, { ...query, now: await sharedNow(db) }),
  )
  serve(app, replays.trucks, ({ db, scope, query }) => replayTrucks.page(db, scope, query))
}
