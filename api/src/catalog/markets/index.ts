import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { marketImport } from './import.ts'
import { marketRoutes } from './routes.ts'

export { findMarket, loadMarketsByName, marketNamer, type MarketsByName } from './named.ts'
export { marketRecords, saveMarketZones } from './queries.ts'
export { zipCenter } from './zip.ts'

export const marketModule = defineModule({
  name: 'catalog/markets',
  tables: { market: record },
  routes: marketRoutes,
  imports: [marketImport],
})
