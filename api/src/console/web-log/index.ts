import { defineModule } from '../../platform/module.ts'
import { sweepWebLog } from './sweep.ts'
import { weblogRoutes } from './routes.ts'

export const webLogModule = defineModule({
  name: 'console/web-log',
  tables: ['web_log'],
  routes: weblogRoutes,
  jobs: [sweepWebLog],
})
