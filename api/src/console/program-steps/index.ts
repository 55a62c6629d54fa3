import { defineModule } from '../../platform/module.ts'
import { programStepsRoutes } from './routes.ts'

export const programStepsModule = defineModule({
  name: 'console/program-steps',
  routes: programStepsRoutes,
})
