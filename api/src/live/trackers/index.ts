import { current, keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { polledSources } from './accounts/polled-sources.ts'
import { accountRoutes } from './accounts/routes.ts'
import { trackFileRoutes } from './files/routes.ts'
import { hideTrackerKey, intakeRoutes } from './intake-routes.ts'
import { sourceRoutes } from './routes.ts'

export { testSource } from './accounts/check-source.ts'
export { withServerAccount } from './accounts/server-account.ts'
export { listSources } from './queries.ts'

export const trackerModule = defineModule({
  name: 'live/trackers',
  tables: {
    position_source: { kept: 'for good', bound: 'Each position names its source; there are as many as admins add.' },
    position_account: current,
    unknown_tracker: keptFor('30 days', 'last_at', {
      since: 'it was last heard',
      bound: 'At most 500 ids of each source.',
    }),
  },
  routes: (app, { env }) => {
    sourceRoutes(app, env)
    accountRoutes(app, env)
    trackFileRoutes(app)
    intakeRoutes(app)
  },
  service: polledSources,
  redactPath: hideTrackerKey,
})
