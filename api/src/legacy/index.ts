import { defineModule } from '../platform/module.ts'
import { oldOverviewRoutes } from './overview.ts'
import { oldPopRoutes } from './pops.ts'
import { oldProgramRoutes } from './programs.ts'
import { oldScheduleRoutes } from './schedule.ts'

/** The OLD group. It owns no table: it only converts the results of other modules, so both always agree. */
export const legacyModule = defineModule({
  name: 'legacy',
  async routes(app, { env }) {
    oldOverviewRoutes(app)
    oldScheduleRoutes(app)
    oldProgramRoutes(app)
    await oldPopRoutes(app, env)
  },
})
