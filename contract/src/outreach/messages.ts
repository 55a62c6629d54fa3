import * as z from '../platform/zod.ts'
import { anyOf, instant, listQuery, namedRef, one, page, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { WEBHOOK_TEST } from './webhook-events.ts'

/** The ways out of the building with their labels. */
export const messageChannelLabel = { mail: 'Email', push: 'Push', webhook: 'Webhook' } as const
export type MessageChannel = keyof typeof messageChannelLabel

/** The state of a message. A late one has failed before, or waits for its recipient's server. */
export const messageStateLabel = {
  waiting: 'Waiting',
  late: 'Late',
  sent: 'Sent',
  dead: 'Not delivered',
  cancelled: 'Canceled',
} as const
export type MessageState = keyof typeof messageStateLabel

/** How an attempt to send a message ended. */
export const attemptOutcomeLabel = {
  accepted: 'Accepted',
  failed: 'Failed',
  refused: 'Refused',
  cancelled: 'Not sent',
} as const

/** A notification that someone sends to the own browser. */
export const PUSH_TEST = 'push-test'
/** Kinds of messages that only show whether a channel works. One that fails is no message that someone missed. */
export const testMessageKinds = [WEBHOOK_TEST, PUSH_TEST] as const

const channel = z.enum(Object.keys(messageChannelLabel) as [MessageChannel, ...MessageChannel[]])
const state = z.enum(Object.keys(messageStateLabel) as [MessageState, ...MessageState[]])
type AttemptOutcome = keyof typeof attemptOutcomeLabel

export const outgoingMessage = z.strictObject({
  uid,
  at: instant,
  /** What it is about, such as `forgot-password`. */
  kind: z.string(),
  channel,
  /** The address, device or system that it goes to. */
  recipient: z.string(),
  /** The user it is for, if it is for one. */
  user: namedRef.nullable(),
  subject: z.string(),
  state,
  attempts: z.int(),
  /** When it is tried next; null once it is done. */
  nextAt: instant.nullable(),
  /** When it was sent, given up or canceled. */
  doneAt: instant.nullable(),
  /** Why it is or was late, was not delivered or was canceled; empty where it went out at once. */
  problem: z.string(),
})
export type OutgoingMessageEntry = z.infer<typeof outgoingMessage>

const attempt = z.strictObject({
  at: instant,
  ms: z.number(),
  outcome: z.enum(Object.keys(attemptOutcomeLabel) as [AttemptOutcome, ...AttemptOutcome[]]),
  answer: z.string(),
})
export type MessageAttempt = z.infer<typeof attempt>

const messageDetails = outgoingMessage.extend({
  /** The newest attempts, oldest first. */
  log: z.array(attempt),
  /** Whether its content opens an account and is never shown. */
  isSecret: z.boolean(),
  /** A mail as it was sent; null where it is secret, and for other channels. */
  mail: z.strictObject({ text: z.string(), html: z.string() }).nullable(),
})

const view = { module: 'users', needs: 'view' } as const
const edit = { module: 'users', needs: 'edit' } as const
const byUid = z.strictObject({ uid })

export const messages = {
  list: endpoint({
    method: 'GET',
    path: 'messages/run',
    access: view,
    summary:
      'Mails, push messages and webhook deliveries of the last 90 days, newest first; searched in recipient, subject and user.',
    follows: ['messages'],
    added: true,
    query: listQuery(['at'], {
      state: anyOf(state).optional(),
      channel: anyOf(channel).optional(),
      kind: anyOf(textLine(80)).optional(),
    }),
    reply: page(outgoingMessage),
  }),
  counts: endpoint({
    method: 'GET',
    path: 'messages/counts',
    access: view,
    summary: 'How many messages wait, how many of these are late, and how many could not be delivered.',
    follows: ['messages'],
    atLeastEvery: 60,
    added: true,
    reply: one(z.strictObject({ waiting: z.int(), late: z.int(), dead: z.int() })),
  }),
  get: endpoint({
    method: 'GET',
    path: 'messages/{uid}',
    access: view,
    summary: 'One message with its attempts, and a mail as it was sent unless it opens an account.',
    follows: ['messages'],
    added: true,
    params: byUid,
    reply: one(messageDetails),
  }),
  sendAgain: endpoint({
    method: 'PUT',
    path: 'messages/{uid}/send-again',
    access: edit,
    keys: false,
    summary: 'Sends a message again that could not be delivered or was canceled. It is tried for another two days.',
    added: true,
    params: byUid,
    reply: one(outgoingMessage),
  }),
  cancel: endpoint({
    method: 'PUT',
    path: 'messages/{uid}/cancel',
    access: edit,
    keys: false,
    summary: 'Cancels a message that waits.',
    added: true,
    params: byUid,
    reply: one(outgoingMessage),
  }),
}
