import { credential, keptUntil, unfinished } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { identityCredentials } from './credentials.ts'

export { isStateOf } from './flow-secret.ts'
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
export { createIdentityProvider, testIdentityProvider } from './provider.ts'
export { judgeSignIn, newRoleOf, type ProviderIdentity } from './rules.ts'
export { seal, unseal } from './sealing.ts'
export { idTokenOf, keepProviderSession, providerSessionsOf, sessionsEndedBy } from './sessions.ts'

export const identityProviderModule = defineModule({
  name: 'accounts/identity-provider',
  tables: {
    single_sign_on_identity: credential,
    single_sign_on_flow: unfinished,
    single_sign_on_confirmation: keptUntil('expires_at', {
      kept: 'until it expires, within two days',
      bound: 'Sign-ins that wait for a mailed link, which waits for the mail server. Callers are limited.',
    }),
    single_sign_on_session: { kept: 'with its session', bound: 'One for each session that began at the provider.' },
    single_sign_on_logout: unfinished,
  },
  credentials: [identityCredentials],
})
