import { keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { errorLogRoutes } from './routes.ts'

export const errorLogModule = defineModule({
  name: 'console/error-log',
  tables: {
    web_log: keptFor('keepWebLogDays', 'at', { bound: 'Errors that consoles report, limited for each caller.' }),
  },
  routes: errorLogRoutes,
})
