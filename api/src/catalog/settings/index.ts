import { defineModule } from '../../platform/module.ts'
import { keepRetention } from './retention.ts'
import { settingRoutes } from './routes.ts'

export { playsKeptSince } from './plays-kept.ts'
export { changeSettings, currentSettings, readSettings } from './queries.ts'

export const settingModule = defineModule({
  name: 'catalog/settings',
  tables: ['setting'],
  routes: settingRoutes,
  jobs: [keepRetention],
})
