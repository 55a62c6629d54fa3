import { DELETE_THE_DEMO, setup } from '@roadshow/contract'
import { hashPassword, refuseWeakPassword } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import { sendSignal } from '../../platform/db/signals.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { emptyDemo } from './empty-demo.ts'
import { loadSetup, readStanding } from './facts.ts'
import { isDemoLoaded, passStep, requestEmptying, setDismissed } from './queries.ts'
import { setupOf } from './setup-rules.ts'

export { emptyDemo } from './empty-demo.ts'
export { isDemoLoaded, markDemo, startSetup } from './queries.ts'

function setupRoutes(app: App, context: AppContext): void {
  const { env } = context
  const answer = async (db: Db, userUid: string) => {
    const { facts, notes } = await loadSetup(db, userUid, context)
    return { data: setupOf(facts, notes) }
  }

  serve(app, setup.get, ({ db, scope }) => answer(db, scope.actor.uid))

  serve(app, setup.passStep, async ({ db, scope, body }) => {
    await passStep(db, body.step)
    return answer(db, scope.actor.uid)
  })

  serve(app, setup.dismiss, async ({ db, scope, body }) => {
    await setDismissed(db, body.isDismissed)
    return answer(db, scope.actor.uid)
  })

  const isOffered = async (db: Db) => !env.production && (await isDemoLoaded(db))

  serve(app, setup.standing, async ({ db }) => ({ data: await readStanding(db, env.production ?? false) }))

  serve(app, setup.emptyDemo, async ({ db, body }) => {
    if (!(await isOffered(db))) throw new AppError('notTheDemo')
    const { confirm, name, email, password } = body
    const isMeant = [DELETE_THE_DEMO, env.brandName.toLowerCase()].includes(confirm.trim().toLowerCase())
    if (!isMeant) refuseFields({ confirm: `Type “${DELETE_THE_DEMO}”.` })
    await refuseWeakPassword(password, { name, email, password_hash: null }, env.brandName)
    if (!(await requestEmptying(db, { name, email, passwordHash: await hashPassword(password) })))
      throw new AppError('notTheDemo')
    await sendSignal(db, 'demo_emptying')
    return { data: { email } }
  })
}

const emptyDemoJob = defineJob('empty-demo', ({ db, blobs, signal }) => emptyDemo({ db, blobs, signal }))

export const setupModule = defineModule({
  name: 'console/setup',
  tables: { installation: { kept: 'for good', bound: 'One row.' } },
  routes: setupRoutes,
  jobs: [emptyDemoJob],
})
