import { defineModule } from '../../platform/module.ts'
import { jumpRoutes } from './routes.ts'

export const jumpModule = defineModule({
  name: 'console/jump',
  routes: jumpRoutes,
})
