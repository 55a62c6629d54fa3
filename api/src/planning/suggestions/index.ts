import { defineModule } from '../../platform/module.ts'
import { suggestionRoutes } from './routes.ts'

/** Ranks trucks and drivers for a shift. It plans nothing itself. */
export const suggestionModule = defineModule({
  name: 'planning/suggestions',
  tables: [],
  routes: suggestionRoutes,
})
