import { trucks } from '@roadshow/contract'
import { inTransaction } from '../../platform/db/connection.ts'
import { removeDevicesOfTruck } from '../devices/index.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { truckSheet } from './export.ts'
import { toTruckRow, truckRecords } from './queries.ts'

export function truckRoutes(app: App): void {
  serve(app, trucks.list, (call) => listOrExport(call, truckRecords, truckSheet))

  serve(app, trucks.get, async ({ db, scope, params }) => ({ data: await truckRecords.get(db, scope, params.uid) }))

  serve(app, trucks.create, async ({ db, scope, body }) => ({
    data: await truckRecords.create(db, scope, toTruckRow(body)),
  }))

  serve(app, trucks.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await truckRecords.update(db, scope, uid, version, toTruckRow(input)),
  }))

  serve(app, trucks.remove, async ({ db, scope, params }) => ({
    data: await inTransaction(db, async (db) => {
      const removed = await truckRecords.removeUnless(db, scope, params.uid, (db) =>
        refuseIfPlanned(db, 'truck_uid', params.uid, 'truck'),
      )
      await removeDevicesOfTruck(db, scope, params.uid)
      return removed
    }),
  }))

  serveHistory(app, trucks.history, truckRecords, { home_market_uid: 'market', pixel_map_uid: 'pixel_map' })
}
