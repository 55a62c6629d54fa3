import { defineModule } from '../../platform/module.ts'
import { marketRoutes } from './routes.ts'

export { marketRecords } from './queries.ts'

export const marketModule = defineModule({
  name: 'catalog/markets',
  tables: ['market'],
  routes: marketRoutes,
})
