import type { AppContext } from '../platform/context.ts'
import type { App } from '../platform/http/app.ts'
import { oldOverviewRoutes } from './overview.ts'
import { oldPopRoutes } from './pops.ts'
import { oldProgramRoutes } from './programs.ts'
import { oldScheduleRoutes } from './schedule.ts'

/** The endpoints of the OLD group. They only convert the results of the domains, so both always agree. */
export async function legacyRoutes(app: App, { env }: AppContext): Promise<void> {
  oldOverviewRoutes(app)
  oldScheduleRoutes(app)
  oldProgramRoutes(app)
  await oldPopRoutes(app, env)
}
