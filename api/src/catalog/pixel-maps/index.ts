import { record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { pixelMapRoutes } from './routes.ts'

export { pixelMapRecords, pixelMapText } from './queries.ts'

export const pixelMapModule = defineModule({
  name: 'catalog/pixel-maps',
  tables: { pixel_map: record },
  routes: pixelMapRoutes,
})
