import { sources } from '@roadshow/contract'
import type { AppContext } from '../../../platform/context.ts'
import type { App } from '../../../platform/http/app.ts'
import { serve } from '../../../platform/http/serve.ts'
import { outboundOf } from './polled-sources.ts'
import { addPolledSource, removeAccount, saveAccount } from './queries.ts'
import { testSource } from './check-source.ts'

const TEST_MS = 15_000

export function accountRoutes(app: App, env: AppContext['env']): void {
  const { audit } = app.kernel
  const { geotab } = env
  const outbound = outboundOf(env, TEST_MS)

  serve(app, sources.addPolled, async ({ db, scope, body, request }) => {
    const data = await addPolledSource(db, scope.actor.uid, body, outbound)
    await audit(request, { kind: 'trackerAccountSaved', actorUid: scope.actor.uid, subject: data.name })
    return { data }
  })

  serve(app, sources.saveAccount, async ({ db, scope, params: { uid }, body, request }) => {
    const data = await saveAccount(db, scope.actor.uid, { uid, account: body, outbound, geotab })
    const { server = '', user = '' } = data.account ?? {}
    const detail = user === '' ? server : `${user} at ${server}`
    await audit(request, { kind: 'trackerAccountSaved', actorUid: scope.actor.uid, subject: data.name, detail })
    return { data }
  })

  serve(app, sources.removeAccount, async ({ db, scope, params: { uid }, request }) => {
    const { source, isRemoved } = await removeAccount(db, uid, geotab)
    if (isRemoved)
      await audit(request, { kind: 'trackerAccountRemoved', actorUid: scope.actor.uid, subject: source.name })
    return { data: source }
  })

  serve(app, sources.test, async ({ db, params: { uid } }) => ({
    data: await testSource(db, env, uid),
  }))
}
