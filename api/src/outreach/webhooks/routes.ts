import { type AuditKind, type Webhook, webhookDeliveries, webhookEventLabel, webhooks } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../../platform/context.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { App } from '../../platform/http/app.ts'
import { outboundRequests } from '../../platform/http/outbound.ts'
import { serve } from '../../platform/http/serve.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { deliveryList, getDelivery, sendDeliveryAgain, sendTest } from './deliveries.ts'
import {
  createWebhook,
  endWebhook,
  getWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  updateWebhook,
  webhookList,
} from './queries.ts'

/** What an endpoint gets, in words. */
const reachOf = ({ events, client }: Webhook) =>
  [events.map((event) => webhookEventLabel[event]).join(', '), client ? `only ${client.name}` : 'all clients'].join(
    ' · ',
  )

export function webhookRoutes(app: App, { env }: AppContext): void {
  const outbound = outboundRequests({ privateNetworks: env.privateNetworks })
  const checkAddress = (url: string) => {
    const problem = outbound.problemOf(url)
    if (problem !== undefined) refuseFields({ url: problem })
  }
  serve(app, webhooks.list, ({ db, scope, query }) => webhookList.page(db, scope, query))
  serve(app, webhooks.get, async ({ db, params: { uid } }) => ({ data: await getWebhook(db, uid) }))
  serveChanges(app, checkAddress)
  serve(app, webhookDeliveries.list, ({ db, scope, query }) => deliveryList.page(db, scope, query))
  serve(app, webhookDeliveries.get, async ({ db, params: { uid } }) => ({ data: await getDelivery(db, uid) }))
  serve(app, webhookDeliveries.sendAgain, async ({ db, params: { uid } }) => ({
    data: await sendDeliveryAgain(db, uid),
  }))
  serve(app, webhooks.test, async ({ db, params: { uid } }) => ({ data: await sendTest(db, uid) }))
}

function serveChanges(app: App, checkAddress: (url: string) => void): void {
  const audited = (
    { scope, request }: { scope: Scope; request: FastifyRequest },
    kind: AuditKind,
    { url: subject }: Webhook,
    detail = '',
  ) => app.kernel.audit(request, { kind, actorUid: scope.actor.uid, subject, detail })

  serve(app, webhooks.create, async (call) => {
    checkAddress(call.body.url)
    const created = await createWebhook(call.db, call.scope, call.body)
    await audited(call, 'webhookCreated', created.webhook, reachOf(created.webhook))
    return { data: created }
  })

  serve(app, webhooks.update, async (call) => {
    checkAddress(call.body.url)
    const webhook = await updateWebhook(call.db, call.scope, call.body)
    await audited(call, 'webhookChanged', webhook, reachOf(webhook))
    return { data: webhook }
  })

  serve(app, webhooks.rotateSecret, async (call) => {
    const { overlapHours: hours } = call.body
    const rotated = await rotateSecret(call.db, call.params.uid, hours)
    const detail = hours > 0 ? `The old secret is used for ${hours} h more` : 'The old secret ended at once'
    await audited(call, 'webhookSecretChanged', rotated.webhook, detail)
    return { data: rotated }
  })

  serve(app, webhooks.pause, async (call) => {
    const webhook = await pauseWebhook(call.db, call.scope, call.params.uid)
    await audited(call, 'webhookChanged', webhook, 'Paused')
    return { data: webhook }
  })

  serve(app, webhooks.resume, async (call) => {
    const { waiting } = call.body
    const webhook = await resumeWebhook(call.db, call.params.uid, waiting)
    await audited(call, 'webhookChanged', webhook, `Resumed, ${waiting === 'send' ? 'with' : 'without'} what waited`)
    return { data: webhook }
  })

  serve(app, webhooks.end, async (call) => {
    const { webhook, isEnded } = await endWebhook(call.db, call.scope, call.params.uid)
    if (isEnded) await audited(call, 'webhookEnded', webhook)
    return { data: webhook }
  })
}
