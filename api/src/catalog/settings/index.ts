import { settings } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { applyBrand } from './brand.ts'
import { changeSettings, currentSettings, settingChanges } from './queries.ts'

export { playsKeptSince } from './plays-kept.ts'
export { changeSettings, currentSettings, readSettings } from './queries.ts'

const readBrand = defineJob('read-brand', ({ db, env }) => applyBrand(db, env))

export const settingModule = defineModule({
  name: 'catalog/settings',
  tables: { setting: { kept: 'for good', bound: 'One row for each setting that was changed.' } },
  routes(app, { env }) {
    serve(app, settings.get, async ({ db }) => ({ data: await currentSettings(db) }))
    serve(app, settings.update, async ({ db, scope, body: { version, ...values } }) => {
      const data = await changeSettings(db, scope, version, values)
      // The job brings it to the other nodes.
      await applyBrand(db, env)
      return { data }
    })
    serve(app, settings.history, ({ db, query }) => settingChanges(db, query))
  },
  jobs: [readBrand],
})
