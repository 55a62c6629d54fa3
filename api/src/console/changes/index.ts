import { changes } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { pageOfChanges } from './queries.ts'

/** The feed of changes: the histories of all records by day, person or record. */
export const changesModule = defineModule({
  name: 'console/changes',
  routes: (app) =>
    serve(app, changes.list, ({ db, scope, query }) => pageOfChanges(db, scope.actor, query, app.kernel)),
})
