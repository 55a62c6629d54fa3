import { keptFor, partOfUser, unfinished } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { checkAccountMail } from './mail-check.ts'
import { passwordLinkCredentials, sessionCredentials } from './credentials.ts'
import { keepSignInRoom } from './keep-room.ts'
import { loginsFailed } from './metrics.ts'
import { KNOWN_DAYS } from './known-networks.ts'
import { authRoutes } from './routes.ts'
import { endDueSessions } from './sessions.ts'

export { bindToMail, createPasswordLink, INVITATION_DAYS } from './password-links.ts'
export { accountByUid, liveAccount, openSession } from './queries.ts'
export {
  endOpenSessions,
  endSessions,
  liftLimit,
  listSessions,
  readProof,
  renewProof,
  sessionEndMessages,
  sessionEndReason,
} from './sessions.ts'
export { hashPassword, refuseWeakPassword, verifyPassword } from './passwords.ts'
export { answerSignIn, answerSignOn, openProvedSession } from './complete-sign-in.ts'
export { enterWithIdentity } from './enter-with-identity.ts'
export { INVITATION_MAIL, signInLinkedMail } from './mails.ts'
export { consumePendingSignIn, dropPendingSignIns, userOfPendingSignIn } from './pending-sign-in.ts'
export { rememberNetwork } from './known-networks.ts'
export { createRefusalAudit } from './attempts.ts'
export { countAttempt, countBulkAttempt, forgetFailures, recordSuccess } from './throttle.ts'
export { preferencesOf } from './preferences.ts'
export { languageOfUser, recipientLanguage } from './recipient-language.ts'
export { sessionReader } from './session-reader.ts'

export const signInModule = defineModule({
  name: 'accounts/sign-in',
  tables: {
    session: keptFor('30 days', 'expires_at', {
      since: 'it ends',
      bound: 'Ended sessions say why they ended. A session lasts seven days at most.',
    }),
    pending_sign_in: unfinished,
    user_preference: partOfUser,
    password_reset: keptFor('1 day', 'expires_at', {
      since: 'it expires',
      bound: 'Links to set a password, one open for each user and kind.',
    }),
    // No index on last_at: each attempt changes it, and the table holds two days of attempts.
    throttle: keptFor('2 days', 'last_at', {
      since: 'the last attempt',
      bound: 'Failed attempts by account and network.',
    }),
    known_network: keptFor(`${KNOWN_DAYS} days`, 'seen_at', {
      since: 'a sign-in',
      bound: 'Networks that users and devices came from.',
    }),
  },
  dbErrors: { user_preference_columns_short: 'tooManyColumns' },
  routes: authRoutes,
  jobs: [endDueSessions, keepSignInRoom],
  metrics: [loginsFailed],
  beforeSending: checkAccountMail,
  credentials: [sessionCredentials, passwordLinkCredentials],
})
