import { feeds } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { adPlayFeed, playFeed } from './plays.ts'
import { trackAnswer } from './positions.ts'

/** The feeds of a program for partners. */
export function feedRoutes(app: App, context: AppContext): void {
  const parquet = parquetOf(context)

  serve(app, feeds.playsCsv, ({ db, scope, params, query }) =>
    playFeed({ db, parquet }, scope, { ...query, program: params.uid, format: 'csv' }),
  )
  serve(app, feeds.playLines, ({ db, scope, params, query }) =>
    playFeed({ db, parquet }, scope, { ...query, program: params.uid, format: 'jsonl' }),
  )
  serve(app, feeds.adPlays, ({ db, scope, params, query }) =>
    adPlayFeed({ db, parquet }, scope, { ...query, program: params.uid }),
  )
  serve(app, feeds.positions, ({ db, scope, params, query }) => trackAnswer(db, scope, params.uid, query))
}
