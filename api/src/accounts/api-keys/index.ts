import { defineModule } from '../../platform/module.ts'
import { apiKeyCredentials } from './credentials.ts'
import { apiKeyRoutes } from './routes.ts'

export { keyReader, newestOpenKey, type OpenKey } from './key-reader.ts'
export { lockAdmin } from './lock-admin.ts'

export const apiKeyModule = defineModule({
  name: 'accounts/api-keys',
  tables: {
    api_key: {
      kept: 'for good',
      bound: 'Each names its maker and its end; ended ones stay, because History and the audit log name them.',
    },
  },
  routes: apiKeyRoutes,
  credentials: [apiKeyCredentials],
})
