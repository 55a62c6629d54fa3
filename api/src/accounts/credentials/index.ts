import { defineModule } from '../../platform/module.ts'
import { credentialRoutes } from './routes.ts'

export { endCredential, endOnForcedSignOut, listCredentials } from './queries.ts'

export const credentialModule = defineModule({
  name: 'accounts/credentials',
  routes: credentialRoutes,
})
