import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { clientRoutes } from './routes.ts'

export { clientRecords, clientText } from './queries.ts'

export const clientModule = defineModule({
  name: 'catalog/clients',
  tables: { client: record },
  routes: clientRoutes,
})
