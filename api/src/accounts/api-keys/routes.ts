import { apiKeys, formatDay } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { apiKeySheet } from './export.ts'
import { apiKeyList, createApiKey, endApiKey, getApiKey } from './queries.ts'
import { nameOfKey, reachOfKey } from './rules.ts'

export function apiKeyRoutes(app: App): void {
  const { audit } = app.kernel

  serve(app, apiKeys.list, (call) => listOrExport(call, apiKeyList, apiKeySheet))

  serve(app, apiKeys.get, async ({ db, params: { uid } }) => ({ data: await getApiKey(db, uid) }))

  serve(app, apiKeys.create, async ({ db, scope, body, request }) => {
    const created = await createApiKey(db, scope, body)
    const { apiKey } = created
    await audit(request, {
      kind: 'keyCreated',
      actorUid: scope.actor.uid,
      subject: nameOfKey(apiKey),
      detail: `${reachOfKey(apiKey)} · until ${formatDay(apiKey.expiresAt.slice(0, 10))}`,
    })
    return { data: created }
  })

  serve(app, apiKeys.end, async ({ db, scope, params: { uid }, request }) => {
    const { apiKey, isEnded } = await endApiKey(db, scope, uid)
    if (isEnded) await audit(request, { kind: 'keyEnded', actorUid: scope.actor.uid, subject: nameOfKey(apiKey) })
    return { data: apiKey }
  })
}
