import { keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { weblogRoutes } from './routes.ts'

export const webLogModule = defineModule({
  name: 'console/web-log',
  tables: {
    web_log: keptFor('keepWebLogDays', 'at', { bound: 'Errors that consoles report, limited for each caller.' }),
  },
  routes: weblogRoutes,
})
