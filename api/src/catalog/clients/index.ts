import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { clientImport } from './import.ts'
import { clientRoutes } from './routes.ts'

export { clientRecords, clientText } from './queries.ts'

export const clientModule = defineModule({
  name: 'catalog/clients',
  tables: { client: record },
  routes: clientRoutes,
  imports: [clientImport],
})
