import { type Webhook, webhookDeliveries, webhookEventLabel, webhooks } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
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
  serveStates(app)
  serve(app, webhookDeliveries.list, ({ db, scope, query }) => deliveryList.page(db, scope, query))
  serve(app, webhookDeliveries.get, async ({ db, params: { uid } }) => ({ data: await getDelivery(db, uid) }))
  serve(app, webhookDeliveries.sendAgain, async ({ db, params: { uid } }) => ({
    data: await sendDeliveryAgain(db, uid),
  }))
  serve(app, webhooks.test, async ({ db, params: { uid } }) => ({ data: await sendTest(db, uid) }))
}

function serveChanges(app: App, checkAddress: (url: string) => void): void {
  const { audit } = app.kernel

  serve(app, webhooks.create, async ({ db, scope, body, request }) => {
    checkAddress(body.url)
    const created = await createWebhook(db, scope, body)
    const { webhook } = created
    const actorUid = scope.actor.uid
    await audit(request, { kind: 'webhookCreated', actorUid, subject: webhook.url, detail: reachOf(webhook) })
    return { data: created }
  })

  serve(app, webhooks.update, async ({ db, scope, body, request }) => {
    checkAddress(body.url)
    const webhook = await updateWebhook(db, scope, body)
    const actorUid = scope.actor.uid
    await audit(request, { kind: 'webhookChanged', actorUid, subject: webhook.url, detail: reachOf(webhook) })
    return { data: webhook }
  })

  serve(app, webhooks.rotateSecret, async ({ db, scope, params: { uid }, body: { overlapHours }, request }) => {
    const rotated = await rotateSecret(db, uid, overlapHours)
    await audit(request, {
      kind: 'webhookSecretChanged',
      actorUid: scope.actor.uid,
      subject: rotated.webhook.url,
      detail: overlapHours > 0 ? `The old secret is used for ${overlapHours} h more` : 'The old secret ended at once',
    })
    return { data: rotated }
  })
}

function serveStates(app: App): void {
  const { audit } = app.kernel

  serve(app, webhooks.pause, async ({ db, scope, params: { uid }, request }) => {
    const webhook = await pauseWebhook(db, scope, uid)
    const actorUid = scope.actor.uid
    await audit(request, { kind: 'webhookChanged', actorUid, subject: webhook.url, detail: 'Paused' })
    return { data: webhook }
  })

  serve(app, webhooks.resume, async ({ db, scope, params: { uid }, body: { waiting }, request }) => {
    const webhook = await resumeWebhook(db, uid, waiting)
    const detail = waiting === 'send' ? 'Resumed, with what waited' : 'Resumed, without what waited'
    await audit(request, { kind: 'webhookChanged', actorUid: scope.actor.uid, subject: webhook.url, detail })
    return { data: webhook }
  })

  serve(app, webhooks.end, async ({ db, scope, params: { uid }, request }) => {
    const { webhook, isEnded } = await endWebhook(db, scope, uid)
    if (isEnded) await audit(request, { kind: 'webhookEnded', actorUid: scope.actor.uid, subject: webhook.url })
    return { data: webhook }
  })
}
