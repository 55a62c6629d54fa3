import { type BodyOf, incidents } from '@roadshow/contract'
import { serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { incidentRecords } from './queries.ts'

const toIncidentRow = ({ startsAt, endsAt, ...input }: BodyOf<typeof incidents.create>) => ({
  ...input,
  starts_at: startsAt,
  ends_at: endsAt,
})

export function incidentRoutes(app: App): void {
  serve(app, incidents.list, ({ db, scope, query }) =>
    incidentRecords.page(db, scope, { ...query, sort: query.sort ?? '-startsAt' }),
  )
  serve(app, incidents.get, byUid(incidentRecords.get))
  serve(
    app,
    incidents.create,
    byBody((db, scope, body) => incidentRecords.create(db, scope, toIncidentRow(body))),
  )
  serve(app, incidents.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await incidentRecords.update(db, scope, uid, version, toIncidentRow(input)),
  }))
  serveDeletion(app, incidents, { kind: 'incident', records: incidentRecords })
  serveHistory(app, incidents.history, incidentRecords)
}
