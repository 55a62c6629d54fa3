import { defineModule } from '../../platform/module.ts'
import { checkAccountMail } from './mail-check.ts'
import { passwordLinkCredentials, sessionCredentials } from './credentials.ts'
import { loginsFailed } from './metrics.ts'
import { endDueSessions, sweepSignIn } from './sweep.ts'
import { authRoutes } from './routes.ts'

export { bindToMail, createPasswordLink, INVITATION_DAYS } from './password-links.ts'
export { openSession } from './queries.ts'
export { endSessions, listSessions, sessionEndMessages, sessionEndReason } from './sessions.ts'
export { hashPassword, verifyPassword } from './passwords.ts'
export { answerSignIn, answerSignOn, openProvedSession } from './complete-sign-in.ts'
export { enterWithIdentity } from './enter-with-identity.ts'
export { INVITATION_MAIL, signInLinkedMail } from './mails.ts'
export { endSessionsForReset, liftLimit, readProof, renewProof } from './limited-sessions.ts'
export { consumePendingSignIn, dropPendingSignIns, userOfPendingSignIn } from './pending-sign-in.ts'
export { rememberNetwork } from './known-networks.ts'
export { attemptLimits, countAttempt, forgetFailures, recordSuccess } from './throttle.ts'
export { languageOfUser, recipientLanguage } from './recipient-language.ts'
export { sessionReader } from './session-reader.ts'

export const signInModule = defineModule({
  name: 'accounts/sign-in',
  tables: ['session', 'pending_sign_in', 'password_reset', 'throttle', 'known_network'],
  routes: authRoutes,
  jobs: [sweepSignIn, endDueSessions],
  metrics: [loginsFailed],
  beforeSending: checkAccountMail,
  credentials: [sessionCredentials, passwordLinkCredentials],
})
