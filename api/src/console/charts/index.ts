import { defineModule } from '../../platform/module.ts'
import { chartRoutes } from './routes.ts'

/** Figures of the fleet as charts. It counts by the functions of planning and plays. */
export const chartModule = defineModule({
  name: 'console/charts',
  routes: chartRoutes,
})
