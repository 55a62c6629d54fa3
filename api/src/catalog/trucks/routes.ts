import { type QueryOf, type Truck, trucks } from '@roadshow/contract'
import { removeDevicesOfTruck, restoreDevicesOfTruck } from '../devices/index.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import { type Deletion, serveDeletion } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody, byUid } from '../../platform/http/handlers.ts'
import { type Listed, listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { type TrackedTruck, truckSheet, withTrackers } from './export.ts'
import { toTruckRow, truckRecords } from './queries.ts'

/** A truck goes with its devices and comes back with them. Open shifts still need it. */
const truckDeletion: Deletion = {
  kind: 'truck',
  records: truckRecords,
  refuse: (db, _scope, uid) => refuseIfPlanned(db, 'truck_uid', uid, { what: 'truck' }),
  afterRemove: removeDevicesOfTruck,
  needed: { home_market_uid: ['market', 'home market'], pixel_map_uid: ['pixel_map', 'pixel map'] },
  afterRestore: restoreDevicesOfTruck,
}

const exportedWithTrackers: Listed<Truck, QueryOf<typeof trucks.list>, TrackedTruck> = {
  page: truckRecords.page,
  stream: (db, scope, query) => withTrackers(db, truckRecords.stream(db, scope, query)),
}

export function truckRoutes(app: App): void {
  serve(app, trucks.list, (call) => listOrExport(call, exportedWithTrackers, truckSheet))
  serve(app, trucks.get, byUid(truckRecords.get))
  serve(
    app,
    trucks.create,
    byBody((db, scope, body) => truckRecords.create(db, scope, toTruckRow(body))),
  )
  serve(app, trucks.update, async ({ db, scope, body: { uid, version, ...input } }) => {
    const saved = await truckRecords.get(db, scope, uid)
    // By its state alone a truck goes to the shop until further notice; `out-of-service/` says from when and until when.
    const goesToShop = input.state === 'inShop' && saved.state !== 'inShop' && saved.version === version
    if (goesToShop) await refuseIfPlanned(db, 'truck_uid', uid, { what: 'truck', isForPlansOnly: true })
    return { data: await truckRecords.update(db, scope, uid, version, toTruckRow(input)) }
  })
  serveDeletion(app, trucks, truckDeletion)
  serveHistory(app, trucks.history, truckRecords, { home_market_uid: 'market', pixel_map_uid: 'pixel_map' })
}
