import { outOfServices } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { removeStretch, saveStretch, stretchRecords } from '../shifts/index.ts'
import { checkStretch } from './check.ts'

/** Takes trucks and drivers out of service. The shifts module stores it and keeps plans clear of it. */
export const outOfServiceModule = defineModule({
  name: 'planning/out-of-service',
  routes: (app) => {
    serve(app, outOfServices.list, ({ db, scope, query }) => stretchRecords.page(db, scope, query))
    serve(app, outOfServices.check, async ({ db, scope, body }) => ({ data: await checkStretch(db, scope, body) }))
    serve(app, outOfServices.create, async ({ db, scope, body }) => ({ data: await saveStretch(db, scope, body) }))
    serve(app, outOfServices.update, async ({ db, scope, body }) => ({ data: await saveStretch(db, scope, body) }))
    serve(app, outOfServices.remove, async ({ db, scope, params }) => ({
      data: await removeStretch(db, scope, params.uid),
    }))
  },
})
