import { trucks } from '@roadshow/contract'
import { type Db, inTransaction } from '../db/connection.ts'
import { removeDevicesOf } from '../devices/index.ts'
import { refuseIfPlanned } from '../db/planned-shifts.ts'
import { serveHistory } from '../history/index.ts'
import type { App } from '../http/app.ts'
import { listOrExport } from '../http/lists.ts'
import { serve } from '../http/serve.ts'
import { truckSheet } from './export.ts'
import { truckRecords } from './queries.ts'
import { toRow } from './rules.ts'

interface Referring {
  homeMarketUid: string | null
  pixelMapUid: string | null
}

/** What a truck refers to must stay until the truck is saved; without any, a statement needs no transaction. */
const holding = <T>(db: Db, { homeMarketUid, pixelMapUid }: Referring, save: (db: Db) => Promise<T>) =>
  homeMarketUid || pixelMapUid ? inTransaction(db, save) : save(db)

export function truckRoutes(app: App): void {
  serve(app, trucks.list, (call) => listOrExport(call, truckRecords, truckSheet))

  serve(app, trucks.get, async ({ db, scope, params }) => ({ data: await truckRecords.get(db, scope, params.uid) }))

  serve(app, trucks.create, async ({ db, scope, body }) => ({
    data: await holding(db, body, async (db) => truckRecords.create(db, scope, await toRow(db, scope, body))),
  }))

  serve(app, trucks.update, async ({ db, scope, body: { uid, version, ...input } }) => ({
    data: await holding(db, input, async (db) =>
      truckRecords.update(db, scope, uid, version, await toRow(db, scope, input)),
    ),
  }))

  serve(app, trucks.remove, async ({ db, scope, params }) => ({
    data: await inTransaction(db, async (db) => {
      const removed = await truckRecords.removeUnless(db, scope, params.uid, (db) =>
        refuseIfPlanned(db, 'truck_uid', params.uid, 'truck'),
      )
      await removeDevicesOf(db, scope, params.uid)
      return removed
    }),
  }))

  serveHistory(app, trucks.history, truckRecords, { home_market_uid: 'market', pixel_map_uid: 'pixel_map' })
}
