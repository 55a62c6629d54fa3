import { credentials } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { endCredential, listCredentials } from './queries.ts'

export { endCredential, endOnForcedSignOut, listCredentials } from './queries.ts'

/** The credentials of the signed-in user. */
export const credentialModule = defineModule({
  name: 'accounts/credentials',
  routes(app) {
    const { audit, credentials: sources } = app.kernel

    serve(app, credentials.own, async ({ db, scope: { actor } }) => ({
      data: await listCredentials(sources, db, actor.uid, { sessionUid: actor.sessionUid, isOwner: true }),
    }))

    serve(app, credentials.endOwn, async ({ db, scope: { actor }, params: { kind, uid }, request }) => {
      const viewer = { sessionUid: actor.sessionUid, isOwner: true }
      const detail = await endCredential(sources, db, { userUid: actor.uid, kind, uid }, viewer)
      await audit(request, { kind: 'credentialEnded', actorUid: actor.uid, subject: actor.name, detail })
      return { data: { uid } }
    })
  },
})
