import { adLog, sdReport } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { loadApproaches } from './approaches.ts'
import { adLogSubject, lookUpMarkets, lookUpPrograms, sdSubject } from './lookups.ts'
import { summarizeAdLog } from './ad-log-summary.ts'
import {
  accountOfDevice,
  answerJump,
  exportPlays,
  pageOfPlays,
  pageOfUnassigned,
  pageOfUnstored,
} from '../../live/plays/index.ts'
import { fillLogDays, fillLogWeek, fillProgramSpan } from './program-span.ts'
import { summarizeSd } from './sd.ts'
import { sdPageOrFile } from './sd-files.ts'
import { fillRankedDays, rankPrograms } from './sd-ranking.ts'

/** The endpoints of the SD report and the ad log. */
export function reportRoutes(app: App, context: AppContext): void {
  const parquet = parquetOf(context)

  serve(app, sdReport.programs, ({ db, scope, query }) => lookUpPrograms(db, scope, query, sdSubject))
  serve(app, sdReport.markets, ({ db, scope, query }) => lookUpMarkets(db, scope, query, sdSubject))
  serve(app, sdReport.ranking, ({ db, scope, query }) => rankPrograms(db, scope, query), fillRankedDays)
  serve(app, sdReport.list, ({ db, scope, query }) => sdPageOrFile({ db, parquet }, scope, query), fillProgramSpan)
  serve(app, sdReport.summary, async ({ db, scope, query }) => ({
    data: await summarizeSd({ db, parquet }, scope, query),
  }))
  serve(app, sdReport.approaches, ({ db, scope, query }) => loadApproaches({ db, parquet }, scope, query))

  serve(app, adLog.programs, ({ db, scope, query }) => lookUpPrograms(db, scope, query, adLogSubject))
  serve(app, adLog.markets, ({ db, scope, query }) => lookUpMarkets(db, scope, query, adLogSubject))
  serve(
    app,
    adLog.list,
    async ({ db, scope, query }) => {
      const stores = { db, parquet }
      return query.format
        ? exportPlays(stores, scope, { ...query, format: query.format })
        : pageOfPlays(stores, scope, query)
    },
    fillLogDays,
  )
  serve(app, adLog.unassigned, ({ db, scope, query }) => pageOfUnassigned({ db, parquet }, scope, query), fillLogWeek)

  serve(app, adLog.unstored, ({ db, scope, query }) => pageOfUnstored(db, scope, query), fillLogWeek)
  serve(app, adLog.device, async ({ db, params }) => ({ data: await accountOfDevice(db, params.uid) }))
  serve(app, adLog.answerJump, async ({ db, scope, params, body }) => ({
    data: await answerJump(db, scope, params.uid, body),
  }))
  serve(
    app,
    adLog.summary,
    async ({ db, scope, query }) => ({ data: await summarizeAdLog({ db, parquet }, scope, query) }),
    fillLogWeek,
  )
}
