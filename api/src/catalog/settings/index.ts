import { settings } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { changeSettings, currentSettings, settingChanges } from './queries.ts'

export { playsKeptSince } from './plays-kept.ts'
export { changeSettings, currentSettings, readSettings } from './queries.ts'

export const settingModule = defineModule({
  name: 'catalog/settings',
  tables: { setting: { kept: 'for good', bound: 'One row for each setting that was changed.' } },
  routes(app) {
    serve(app, settings.get, async ({ db }) => ({ data: await currentSettings(db) }))
    serve(app, settings.update, async ({ db, scope, body: { version, ...values } }) => ({
      data: await changeSettings(db, scope, version, values),
    }))
    serve(app, settings.history, ({ db, query }) => settingChanges(db, query))
  },
})
