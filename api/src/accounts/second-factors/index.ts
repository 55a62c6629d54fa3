import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { factorCredentials } from './credentials.ts'
import { dropOldChallenges } from './challenges.ts'
import { secondFactorRoutes } from './routes.ts'

export { resetFactors } from './change.ts'
export { type FactorName, factorRemovedMail, factorsResetMail } from './mails.ts'

const sweepChallenges = defineJob('sweep-challenges', ({ db, timeUp: signal }) => dropOldChallenges(db, signal))

export const secondFactorModule = defineModule({
  name: 'accounts/second-factors',
  tables: ['passkey', 'code_app', 'recovery_code', 'passkey_challenge'],
  routes: secondFactorRoutes,
  jobs: [sweepChallenges],
  credentials: factorCredentials,
})
