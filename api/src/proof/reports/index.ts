import { defineModule } from '../../platform/module.ts'
import { reportRoutes } from './routes.ts'

export { fillProgramSpan } from './program-span.ts'
export { sdPageOrFile } from './sd-files.ts'

export const reportModule = defineModule({
  name: 'proof/reports',
  routes: reportRoutes,
})
