import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { identityCredentials } from './credentials.ts'
import { sweepFlows } from './flows.ts'

export { isStateOf, newFlowSecret } from './flow-secret.ts'
export {
  awaitConfirmation,
  bindConfirmationToMail,
  checkConfirmationMail,
  CONFIRMATION_MINUTES,
  CONFIRMATION_WAIT_MINUTES,
  confirmationOf,
  createMailToken,
  startFlow,
  takeConfirmation,
  takeFlow,
} from './flows.ts'
export { addClaimedAccount, changeRole, linkIdentity, loadSignInFacts, noteIdentityUse } from './identities.ts'
export { createIdentityProvider, type IdentityProvider } from './provider.ts'
export { judgeSignIn, newRoleOf, type ProviderIdentity } from './rules.ts'
export { seal, unseal } from './sealing.ts'
export { idTokenOf, keepProviderSession, providerSessionsOf, sessionsEndedBy } from './sessions.ts'

export const identityProviderModule = defineModule({
  name: 'accounts/identity-provider',
  tables: [
    'single_sign_on_identity',
    'single_sign_on_flow',
    'single_sign_on_confirmation',
    'single_sign_on_session',
    'single_sign_on_logout',
  ],
  jobs: [defineJob('sweep-single-sign-on', ({ db, timeUp: signal }) => sweepFlows(db, signal))],
  credentials: [identityCredentials],
})
