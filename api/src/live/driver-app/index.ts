import { defineModule } from '../../platform/module.ts'
import { driverAppRoutes } from './routes.ts'

export { receiveActs } from './acts.ts'
export { writeToDriver } from './dispatch.ts'
export { noteContact } from './phones.ts'

export const driverAppModule = defineModule({
  name: 'live/driver-app',
  tables: ['driver_act', 'driver_phone', 'shift_answer', 'shift_message', 'truck_request'],
  routes: driverAppRoutes,
})
