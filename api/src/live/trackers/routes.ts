import { type PositionSource, sources, truckTrackers } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { withServerAccount } from './accounts/server-account.ts'
import { createSource, listSources, renameSource, renewKey, revokeKey } from './queries.ts'
import { addTracker, listUnknown, removeTracker, trackersOf } from './truck-trackers.ts'

/** A source as the audit log names it. */
const nameOf = ({ name, keyStart }: PositionSource) => (keyStart === '' ? name : `${name} (${keyStart}…)`)

export function sourceRoutes(app: App, { geotab }: Pick<AppContext['env'], 'geotab'>): void {
  const { audit } = app.kernel

  serve(app, sources.list, async ({ db }) => ({
    data: (await listSources(db)).map((source) => withServerAccount(source, geotab)),
  }))

  serve(app, sources.create, async ({ db, scope, body, request }) => {
    const data = await createSource(db, scope.actor.uid, body)
    await audit(request, { kind: 'trackerKeyCreated', actorUid: scope.actor.uid, subject: nameOf(data.source) })
    return { data }
  })

  serve(app, sources.rename, async ({ db, params: { uid }, body: { name } }) => ({
    data: await renameSource(db, uid, name),
  }))

  serve(app, sources.renewKey, async ({ db, scope, params: { uid }, request }) => {
    const data = await renewKey(db, uid)
    await audit(request, { kind: 'trackerKeyCreated', actorUid: scope.actor.uid, subject: nameOf(data.source) })
    return { data }
  })

  serve(app, sources.revoke, async ({ db, scope, params: { uid }, request }) => {
    const { source, isEnded } = await revokeKey(db, uid)
    if (isEnded) await audit(request, { kind: 'trackerKeyEnded', actorUid: scope.actor.uid, subject: nameOf(source) })
    return { data: source }
  })

  serve(app, truckTrackers.get, async ({ db, params: { uid } }) => ({ data: await trackersOf(db, uid) }))

  serve(app, truckTrackers.unknown, async ({ db }) => ({ data: await listUnknown(db) }))

  serve(app, truckTrackers.add, async ({ db, scope, params: { uid }, body }) => {
    await trackersOf(db, uid)
    await addTracker(db, scope.actor.uid, { ...body, truckUid: uid })
    return { data: await trackersOf(db, uid) }
  })

  serve(app, truckTrackers.remove, async ({ db, scope, params: { uid }, query }) => {
    await removeTracker(db, scope.actor.uid, { ...query, truckUid: uid })
    return { data: await trackersOf(db, uid) }
  })
}
