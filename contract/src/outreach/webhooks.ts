import * as z from '../platform/zod.ts'
import {
  anyOf,
  instant,
  listQuery,
  namedRef,
  NO_EXPORT,
  one,
  page,
  requiredLine,
  textLine,
  uid,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { clientWebhookEvents, WEBHOOK_TEST, webhookEvents } from './webhook-events.ts'

export const webhookStateLabel = { active: 'Active', paused: 'Paused', ended: 'Ended' } as const
export type WebhookState = keyof typeof webhookStateLabel
const webhookState = z.enum(Object.keys(webhookStateLabel) as [WebhookState, ...WebhookState[]])

export const webhookPauseLabel = {
  paused: 'Paused by an admin',
  gone: 'The receiver answered 410: it wants no more events',
  failing: 'The receiver accepted nothing for too long',
} as const
type WebhookPause = keyof typeof webhookPauseLabel

export const webhookEndLabel = {
  ended: 'Ended by an admin',
  makerDeleted: 'The user who created it was deleted',
  makerLostAccess: 'The user who created it lost the permissions it needs',
  clientDeleted: 'Its client was deleted',
} as const
type WebhookEnd = keyof typeof webhookEndLabel

const webhookEvent = z.enum(webhookEvents)

export const webhook = z.strictObject({
  uid,
  version: z.int(),
  url: z.string(),
  description: z.string(),
  events: z.array(webhookEvent),
  /** The one client whose events it gets; null for all. */
  client: namedRef.nullable(),
  state: webhookState,
  createdBy: namedRef,
  createdAt: instant,
  pausedAt: instant.nullable(),
  pausedBy: namedRef.nullable(),
  pauseReason: z.enum(Object.keys(webhookPauseLabel) as [WebhookPause, ...WebhookPause[]]).nullable(),
  endedAt: instant.nullable(),
  endedBy: namedRef.nullable(),
  endReason: z.enum(Object.keys(webhookEndLabel) as [WebhookEnd, ...WebhookEnd[]]).nullable(),
  /** Until when messages are signed with the secret before the last change too; null if with one only. */
  oldSecretUntil: instant.nullable(),
  /** Failed attempts since the last accepted one, and when the first of them was. */
  failures: z.int(),
  failingSince: instant.nullable(),
  lastAcceptedAt: instant.nullable(),
  /** Messages that wait for it. */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof webhook>

const fields = {
  url: requiredLine(500),
  description: textLine(200).prefault(''),
  events: z
    .array(webhookEvent)
    .min(1, 'Choose at least one event.')
    .max(webhookEvents.length)
    .transform((given) => webhookEvents.filter((event) => given.includes(event))),
}

export const webhookInput = z
  .strictObject({ ...fields, clientUid: uid.nullable().prefault(null) })
  .superRefine(({ clientUid, events }, context) => {
    if (clientUid === null || events.every((event) => clientWebhookEvents.includes(event))) return
    context.addIssue({ code: 'custom', path: ['events'], message: 'Some of these events are not for clients.' })
  })
export type WebhookInput = z.input<typeof webhookInput>

export const MAX_OVERLAP_HOURS = 168

export const deliveryStateLabel = {
  waiting: 'Waiting',
  sent: 'Delivered',
  dead: 'Failed',
  cancelled: 'Canceled',
} as const
export type DeliveryState = keyof typeof deliveryStateLabel
const deliveryState = z.enum(Object.keys(deliveryStateLabel) as [DeliveryState, ...DeliveryState[]])

const deliveryEvent = z.enum([...webhookEvents, WEBHOOK_TEST])

const delivery = z.strictObject({
  uid,
  /** The header webhook-id of all its attempts. */
  webhookId: z.string(),
  at: instant,
  event: deliveryEvent,
  webhook: z.strictObject({ uid, url: z.string() }),
  state: deliveryState,
  attempts: z.int(),
  /** When it is tried next; null if it is not, or not before its endpoint is resumed. */
  nextAt: instant.nullable(),
  expiresAt: instant,
  doneAt: instant.nullable(),
  /** Why it is late, failed or canceled. */
  problem: z.string().nullable(),
})
export type Delivery = z.infer<typeof delivery>

const deliveryAttempt = z.strictObject({
  at: instant,
  /** How long it took, in milliseconds. */
  ms: z.int(),
  isAccepted: z.boolean(),
  /** What happened, as a sentence. */
  result: z.string(),
  /** The HTTP status; null without an answer. */
  status: z.int().nullable(),
  /** The first 2,000 characters of the answer. */
  answer: z.string(),
})
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>

export const deliveryDetails = z.strictObject({
  ...delivery.shape,
  /** The body as it is sent, byte for byte; null if it can't be opened any more. */
  body: z.string().nullable(),
  /** The latest attempts, oldest first. */
  log: z.array(deliveryAttempt),
})
export type DeliveryDetails = z.infer<typeof deliveryDetails>

const view = { module: 'users', needs: 'view' } as const
const edit = { module: 'users', needs: 'edit' } as const
const byUid = z.strictObject({ uid })

export const webhooks = {
  list: endpoint({
    method: 'GET',
    path: 'webhooks/run',
    access: view,
    summary: 'Webhook endpoints, newest first; searched in address, description, creator and client.',
    follows: ['webhooks'],
    added: true,
    query: listQuery(['at'], { state: anyOf(webhookState).optional() }).omit(NO_EXPORT),
    reply: page(webhook),
  }),
  get: endpoint({
    method: 'GET',
    path: 'webhooks/{uid}',
    access: view,
    summary: 'One webhook endpoint, without its secret.',
    follows: ['webhooks'],
    added: true,
    params: byUid,
    reply: one(webhook),
  }),
  create: endpoint({
    method: 'POST',
    path: 'webhooks/',
    access: edit,
    summary: 'Adds a webhook endpoint. The secret that verifies its messages is in this answer only.',
    added: true,
    secret: true,
    body: webhookInput,
    reply: one(z.strictObject({ secret: z.string(), webhook })),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'webhooks/',
    access: edit,
    summary: 'Changes the address, description or events of a webhook endpoint.',
    added: true,
    body: z.strictObject({ ...fields, uid, version: z.int() }),
    reply: one(webhook),
  }),
  end: endpoint({
    method: 'DELETE',
    path: 'webhooks/{uid}',
    access: edit,
    summary: 'Ends a webhook endpoint for good and cancels what waits for it.',
    added: true,
    params: byUid,
    reply: one(webhook),
  }),
  pause: endpoint({
    method: 'POST',
    path: 'webhooks/{uid}/pause',
    access: edit,
    summary: 'Pauses a webhook endpoint. Events are kept for it, each for two days.',
    added: true,
    params: byUid,
    reply: one(webhook),
  }),
  resume: endpoint({
    method: 'POST',
    path: 'webhooks/{uid}/resume',
    access: edit,
    summary: 'Resumes a webhook endpoint, and sends or cancels what waited.',
    added: true,
    params: byUid,
    body: z.strictObject({ waiting: z.enum(['send', 'cancel'], 'Must be send or cancel.') }),
    reply: one(webhook),
  }),
  rotateSecret: endpoint({
    method: 'POST',
    path: 'webhooks/{uid}/secret',
    access: edit,
    summary: 'Creates a new secret, in this answer only. Messages are signed with both until the old one ends.',
    added: true,
    secret: true,
    params: byUid,
    body: z.strictObject({
      /** How long the old secret is used too. */
      overlapHours: z
        .int('Must be a whole number of hours.')
        .min(0, 'At least 0 hours.')
        .max(MAX_OVERLAP_HOURS, `At most ${MAX_OVERLAP_HOURS} hours.`),
    }),
    reply: one(z.strictObject({ secret: z.string(), webhook })),
  }),
  test: endpoint({
    method: 'POST',
    path: 'webhooks/{uid}/test',
    access: edit,
    summary: 'Sends a test event to a webhook endpoint, once. The delivery log has the answer.',
    added: true,
    params: byUid,
    reply: one(deliveryDetails),
  }),
}

export const webhookDeliveries = {
  list: endpoint({
    method: 'GET',
    path: 'webhook-deliveries/run',
    access: view,
    summary: 'Messages to webhook endpoints, newest first; searched in their addresses.',
    follows: ['webhooks'],
    added: true,
    query: listQuery(['at'], {
      webhookUid: anyOf(uid).optional(),
      state: anyOf(deliveryState).optional(),
      event: anyOf(deliveryEvent).optional(),
    }).omit(NO_EXPORT),
    reply: page(delivery),
  }),
  get: endpoint({
    method: 'GET',
    path: 'webhook-deliveries/{uid}',
    access: view,
    summary: 'One message with its body and the answers to its latest attempts.',
    follows: ['webhooks'],
    atLeastEvery: ({ state }: DeliveryDetails) => (state === 'waiting' ? 1 : undefined),
    added: true,
    params: byUid,
    reply: one(deliveryDetails),
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: 'webhook-deliveries/{uid}/send-again',
    access: edit,
    summary: 'Sends a message again under the same webhook-id, with retries for two days.',
    added: true,
    params: byUid,
    reply: one(deliveryDetails),
  }),
}
