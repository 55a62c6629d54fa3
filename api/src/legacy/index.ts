import { defineModule } from '../platform/module.ts'
import { legacyRoutes } from './routes.ts'

/** The OLD group. It owns no table: it reshapes what other modules do. */
export const legacyModule = defineModule({ name: 'legacy', routes: legacyRoutes })
