import { credential, unfinished } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { factorCredentials } from './credentials.ts'
import { secondFactorRoutes } from './routes.ts'

export { resetFactors } from './change.ts'
export { type FactorName, factorRemovedMail, factorsResetMail } from './mails.ts'

export const secondFactorModule = defineModule({
  name: 'accounts/second-factors',
  tables: {
    passkey: credential,
    code_app: credential,
    recovery_code: credential,
    passkey_challenge: unfinished,
  },
  routes: secondFactorRoutes,
  credentials: factorCredentials,
})
