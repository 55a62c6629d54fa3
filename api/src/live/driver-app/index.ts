import { current, partOfRecord } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { driverAppRoutes } from './routes.ts'

export { receiveActs } from './acts.ts'
export { writeToDriver } from './dispatch.ts'
export { noteContact } from './phones.ts'

export const driverAppModule = defineModule({
  name: 'live/driver-app',
  tables: {
    driver_act: partOfRecord,
    driver_phone: current,
    shift_answer: partOfRecord,
    shift_message: partOfRecord,
    truck_request: partOfRecord,
  },
  routes: driverAppRoutes,
})
