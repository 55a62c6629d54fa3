import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { marketRoutes } from './routes.ts'

export { marketRecords, saveMarketZones } from './queries.ts'

export const marketModule = defineModule({
  name: 'catalog/markets',
  tables: { market: record },
  routes: marketRoutes,
})
