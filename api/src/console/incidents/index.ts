import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { incidentRoutes } from './routes.ts'
import { statusPages } from './status-page.ts'

export const incidentModule = defineModule({
  name: 'console/incidents',
  tables: { incident: record },
  routes: incidentRoutes,
  nameColumns: { incident: 'title' },
  pages: statusPages,
})
