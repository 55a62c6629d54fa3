import { fleet, type QueryOf } from '@roadshow/contract'
import { sharedNow } from '../db/clock.ts'
import { serveHistory } from '../history/index.ts'
import type { App } from '../http/app.ts'
import { listOrExport } from '../http/lists.ts'
import { serve } from '../http/serve.ts'
import { issueSheet } from './export.ts'
import { figuresOf, shiftsOfDay } from './overview.ts'
import { issueRecords } from './queries.ts'
import { moveIssue } from './rules.ts'
import { trackOfDay } from './track.ts'

// What is done needs nobody.
const unlessAsked: Pick<QueryOf<typeof fleet.issues>, 'sort' | 'status'> = {
  sort: '-openedAt',
  status: ['open', 'inProgress'],
}

export function fleetRoutes(app: App, { isSimulated }: { isSimulated: boolean }): void {
  serve(app, fleet.shifts, ({ db, scope, query }) => shiftsOfDay(db, scope, query))
  serve(app, fleet.issues, (call) =>
    listOrExport({ ...call, query: { ...unlessAsked, ...call.query } }, issueRecords, issueSheet),
  )
  serve(app, fleet.issue, async ({ db, scope, params }) => ({ data: await issueRecords.get(db, scope, params.uid) }))
  serve(app, fleet.figures, async ({ db, scope }) => ({
    data: { ...(await figuresOf(db, scope, await sharedNow(db))), simulated: isSimulated },
  }))
  serve(app, fleet.resolve, async ({ db, scope, body }) => ({ data: await moveIssue(db, scope, body) }))
  serve(app, fleet.track, async ({ db, scope, params, query }) => ({
    data: await trackOfDay(db, scope, params.uid, query.day, await sharedNow(db)),
  }))
  serveHistory(app, fleet.issueHistory, issueRecords, { truck_uid: 'truck', photo_file_uid: 'stored_file' })
}
