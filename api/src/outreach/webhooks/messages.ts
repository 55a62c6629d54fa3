import { WEBHOOK_TEST, type WebhookEvent, webhookEventLabel, webhookEvents } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { enqueue, type EventHandler, type NewMessage, type OutboundEvent } from '../../platform/outbox/index.ts'
import { bodyOf, clientsOf, dataForClient, programOf } from './rules.ts'

/** What a message to an endpoint carries. */
export interface WebhookPayload {
  /** The body, byte for byte. */
  body: string
  clientUid: string | null
  programUid: string | null
}

type Receiver = Awaited<ReturnType<typeof receiversOf>>[number]

const TWO_DAYS_MS = 48 * 3_600_000

function messageFor(receiver: Receiver, event: OutboundEvent, now: number): NewMessage {
  const { uid, url, state } = receiver
  const clientUid = receiver.clientUid ?? event.clientUid
  const data = receiver.clientUid === null ? event.data : dataForClient(event, receiver.clientUid)
  const expiresAt = new Date(now + TWO_DAYS_MS)
  const payload: WebhookPayload = { body: bodyOf(event, data, clientUid), clientUid, programUid: programOf(data) }
  return {
    kind: event.type,
    channel: 'webhook',
    recipient: url,
    subject: webhookEventLabel[event.type as WebhookEvent],
    payload,
    target: uid,
    ordering: `webhook ${uid} ${event.object}`,
    key: `webhook ${uid} ${event.uid}`,
    expiresAt,
    // What happens while an endpoint is paused waits until it is resumed.
    ...(state === 'paused' && { notBefore: expiresAt }),
  }
}

/** The endpoints that get an event. Locked, so that one that is paused or resumed meanwhile misses no message. */
const receiversOf = (db: Db, event: OutboundEvent) =>
  db
    .selectFrom('webhook')
    .select(['uid', 'url', 'client_uid as clientUid', 'state'])
    .where('state', '<>', 'ended')
    .where(sql<boolean>`${event.type} = any(events)`)
    .where(sql<boolean>`(client_uid is null or client_uid = any(${clientsOf(event)}::uuid[]))`)
    .orderBy('uid')
    .forShare()
    .execute()

/** Makes a message of an event for each endpoint that wants it. */
export const sendToWebhooks: EventHandler = {
  types: webhookEvents,
  async handle(db, event) {
    const receivers = await receiversOf(db, event)
    if (receivers.length === 0) return
    const now = await sharedNow(db)
    await enqueue(
      db,
      receivers.map((receiver) => messageFor(receiver, event, now)),
    )
  },
}

const TEST_LASTS_MS = 60_000

/** Makes a message that only shows whether an endpoint works. It is sent once. */
export async function enqueueTest(db: Db, { uid, url }: Pick<Receiver, 'uid' | 'url'>): Promise<string> {
  const data = {
    webhookUid: uid,
    message: 'This is a test. Your endpoint works if it answers with a status from 200 to 299.',
  }
  const now = await sharedNow(db)
  const payload: WebhookPayload = {
    body: JSON.stringify({ type: WEBHOOK_TEST, timestamp: new Date(now).toISOString(), data }),
    clientUid: null,
    programUid: null,
  }
  const [message] = await enqueue(db, [
    {
      kind: WEBHOOK_TEST,
      channel: 'webhook',
      recipient: url,
      subject: webhookEventLabel[WEBHOOK_TEST],
      payload,
      target: uid,
      expiresAt: new Date(now + TEST_LASTS_MS),
    },
  ])
  if (message === undefined) throw new Error('A test has no key, so it is always made.')
  return message
}
