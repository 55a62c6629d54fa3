import { defineModule } from '../../platform/module.ts'
import { apiKeyCredentials } from './credentials.ts'
import { apiKeyRoutes } from './routes.ts'

export { keyReader } from './key-reader.ts'
export { lockAdmin } from './lock-admin.ts'

export const apiKeyModule = defineModule({
  name: 'accounts/api-keys',
  tables: ['api_key'],
  routes: apiKeyRoutes,
  credentials: [apiKeyCredentials],
})
