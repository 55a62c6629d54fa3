import { defineModule } from '../../platform/module.ts'
import { settingRoutes } from './routes.ts'

export { playsKeptSince } from './plays-kept.ts'
export { changeSettings, currentSettings, readSettings } from './queries.ts'

export const settingModule = defineModule({
  name: 'catalog/settings',
  tables: { setting: { kept: 'for good', bound: 'One row for each setting that was changed.' } },
  routes: settingRoutes,
})
