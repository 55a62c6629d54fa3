import { current, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { truckImport } from './import.ts'
import { truckRoutes } from './routes.ts'
import { shopStaysJob } from './shop-stays.ts'

export { followShopStays } from './shop-stays.ts'
export { giveTrackers, takeTracker, type TrackerOfTruck } from './trackers.ts'
export { truckRecords, truckText } from './queries.ts'

export const truckModule = defineModule({
  name: 'catalog/trucks',
  tables: { truck: record, truck_tracker: current },
  nameColumns: { truck: 'number' },
  routes: truckRoutes,
  jobs: [shopStaysJob],
  imports: [truckImport],
})
