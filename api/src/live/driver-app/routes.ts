import { driverApp, shiftDrivers } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { receiveActs } from './acts.ts'
import { dismissTruckRequest, loadShiftDriver, writeToDriver } from './dispatch.ts'
import { loadDay } from './day.ts'

export function driverAppRoutes(app: App): void {
  serve(app, driverApp.day, async ({ db, scope }) => ({ data: await loadDay(db, scope) }))
  serve(app, driverApp.acts, async ({ db, scope, body }) => {
    const taken = await app.kernel.takeReports(`driver ${scope.actor.uid}`, body.acts.length)
    return { data: await receiveActs(db, scope, body, taken) }
  })
  serve(app, shiftDrivers.get, async ({ db, scope, params }) => ({
    data: await loadShiftDriver(db, scope, params.uid),
  }))
  serve(app, shiftDrivers.write, async ({ db, scope, params, body }) => ({
    data: await writeToDriver(db, scope, params.uid, body.text),
  }))
  serve(app, shiftDrivers.dismissTruckRequest, async ({ db, scope, params, body }) => ({
    data: await dismissTruckRequest(db, scope, params.uid, body.requestUid),
  }))
}
