import { driverApp } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { receiveActs } from './acts.ts'
import { loadDay } from './day.ts'

export function driverAppRoutes(app: App): void {
  serve(app, driverApp.day, async ({ db, scope }) => ({ data: await loadDay(db, scope) }))
  serve(app, driverApp.acts, async ({ db, scope, body }) => ({ data: await receiveActs(db, scope, body) }))
}
