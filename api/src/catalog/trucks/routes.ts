import { trucks } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { removeDevicesOfTruck } from '../devices/index.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { truckSheet } from './export.ts'
import { toTruckRow, truckRecords } from './queries.ts'

/** Deletes a truck with its devices, unless open shifts need it. */
const removeTruck = (db: Db, scope: Scope, uid: string) =>
  inTransaction(db, async (db) => {
    await truckRecords.removeUnless(db, scope, uid, (db) => refuseIfPlanned(db, 'truck_uid', uid, 'truck'))
    await removeDevicesOfTruck(db, scope, uid)
    return { uid }
  })

export function truckRoutes(app: App): void {
  serve(app, trucks.list, (call) => listOrExport(call, truckRecords, truckSheet))
  serve(app, trucks.get, byUid(truckRecords.get))
  serve(
    app,
    trucks.create,
    byBody((db, scope, body) => truckRecords.create(db, scope, toTruckRow(body))),
  )
  serve(app, trucks.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await truckRecords.update(db, scope, uid, version, toTruckRow(input)),
  }))
  serve(app, trucks.remove, byUid(removeTruck))
  serveHistory(app, trucks.history, truckRecords, { home_market_uid: 'market', pixel_map_uid: 'pixel_map' })
}
