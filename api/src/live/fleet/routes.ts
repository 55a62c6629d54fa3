import { fleet, type QueryOf } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { coalesceCalls } from '../../platform/runtime/coalesce-calls.ts'
import { truckDayMiles } from './day-miles.ts'
import { playTotals } from '../plays/index.ts'
import { issueSheet } from './export.ts'
import { overviewFigures, shiftsOfDay } from './overview.ts'
import { issueRecords } from './queries.ts'
import { changeIssueStatus } from './issues.ts'
import { trackOfDay } from './track.ts'

// Resolved issues need no attention.
const issueDefaults: Pick<QueryOf<typeof fleet.issues>, 'sort' | 'status'> = {
  sort: '-openedAt',
  status: ['open', 'inProgress'],
}

export function fleetRoutes(app: App, { isSimulated }: AppContext): void {
  serve(app, fleet.shifts, ({ db, scope, query }) => shiftsOfDay(db, scope, query))
  serve(app, fleet.issues, (call) =>
    listOrExport({ ...call, query: { ...issueDefaults, ...call.query } }, issueRecords, issueSheet),
  )
  serve(app, fleet.issue, async ({ db, scope, params }) => ({ data: await issueRecords.get(db, scope, params.uid) }))
  const { db } = app.kernel
  // All users with full access get the same figures, and every open page asks again when trucks have moved.
  const figuresOfAll = coalesceCalls(async () => overviewFigures(db, 'all', await sharedNow(db)))
  serve(app, fleet.figures, async ({ db, scope }) => {
    const figures = scope.rows === 'all' ? await figuresOfAll() : await overviewFigures(db, scope, await sharedNow(db))
    return { data: { ...figures, simulated: isSimulated } }
  })
  serve(app, fleet.playsToday, async ({ db, scope }) => ({
    data: await playTotals(db, scope, { by: 'todayByProgram' }),
  }))
  serve(app, fleet.resolve, async ({ db, scope, body }) => ({ data: await changeIssueStatus(db, scope, body) }))
  serve(app, fleet.track, async ({ db, scope, params, query }) => ({
    data: await trackOfDay(db, scope, { uid: params.uid, day: query.day, now: await sharedNow(db) }),
  }))
  serve(app, fleet.truckDays, ({ db, query }) => truckDayMiles(db, query))
  serveHistory(app, fleet.issueHistory, issueRecords, { truck_uid: 'truck', photo_file_uid: 'stored_file' })
}
