import { shiftPlays } from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { loadPlaysByHour } from './by-hour.ts'

/** What a shift played, to compare with the plan of its rotation. */
export const shiftPlayModule = defineModule({
  name: 'proof/shift-plays',
  routes: (app, context) => {
    const parquet = parquetOf(context)
    serve(app, shiftPlays.byHour, async ({ db, scope, params }) => ({
      data: await loadPlaysByHour({ db, parquet }, scope, { uid: params.uid, now: await sharedNow(db) }),
    }))
  },
})
