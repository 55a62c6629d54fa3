import { defineModule } from '../../platform/module.ts'
import { addressRoutes } from './routes.ts'

export { zipCenter } from './zip.ts'

export const addressModule = defineModule({
  name: 'catalog/addresses',
  tables: ['address_set', 'sd_address', 'past_sd_address'],
  routes: addressRoutes,
})
