import { fleet } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { coalesceCalls } from '../../platform/runtime/coalesce-calls.ts'
import { truckDayMiles } from './day-miles.ts'
import { loadFiguresDay, playTotals } from '../plays/index.ts'
import { overviewFigures, shiftsOfDay } from './overview.ts'
import { trackOfDay } from './track.ts'

/** The demo may have been emptied since this node started. */
const isDemo = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('installation').select('demo').executeTakeFirst())?.demo === 'loaded'

export function fleetRoutes(app: App, { isSimulated }: AppContext): void {
  serve(app, fleet.shifts, ({ db, scope, query }) => shiftsOfDay(db, scope, query))
  const { db } = app.kernel
  // All users with full access get the same figures, and every open page asks again when trucks have moved.
  const figuresOfAll = coalesceCalls(async () => overviewFigures(db, 'all', await sharedNow(db)))
  serve(app, fleet.figures, async ({ db, scope }) => {
    const figures = scope.rows === 'all' ? await figuresOfAll() : await overviewFigures(db, scope, await sharedNow(db))
    return { data: { ...figures, simulated: isSimulated && (await isDemo(db)) } }
  })
  serve(app, fleet.playsToday, async ({ db, scope }) => {
    const { day } = await loadFiguresDay(db, scope, await sharedNow(db))
    return { data: await playTotals(db, scope, { by: 'oneDayByProgram', day }) }
  })
  serve(app, fleet.track, async ({ db, scope, params, query }) => ({
    data: await trackOfDay(db, scope, { uid: params.uid, day: query.day, now: await sharedNow(db) }),
  }))
  serve(app, fleet.truckDays, ({ db, query }) => truckDayMiles(db, query))
}
