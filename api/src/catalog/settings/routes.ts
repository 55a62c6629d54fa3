import { settings } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { changeSettings, currentSettings, settingChanges } from './queries.ts'

export function settingRoutes(app: App): void {
  serve(app, settings.get, async ({ db }) => ({ data: await currentSettings(db) }))

  serve(app, settings.update, async ({ db, scope, body: { version, ...values } }) => ({
    data: await changeSettings(db, scope, version, values),
  }))

  serve(app, settings.history, ({ db, query }) => settingChanges(db, query))
}
