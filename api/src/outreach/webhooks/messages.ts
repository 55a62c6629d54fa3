import { WEBHOOK_TEST, webhookEventLabel, webhookEvents } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { enqueue, type EventHandler, type NewMessage, type OutboundEvent } from '../../platform/outbox/index.ts'
import { bodyOf, isWebhookEvent } from './rules.ts'

/** What a message to an endpoint carries. */
export interface WebhookPayload {
  /** The body, byte for byte. */
  body: string
  clientUid: string | null
  programUid: string | null
}

interface Receiver {
  uid: string
  url: string
  clientUid: string | null
  state: string
}

const TWO_DAYS_MS = 48 * 3_600_000

const programOf = ({ programUid }: Record<string, unknown>) => (typeof programUid === 'string' ? programUid : null)

function messageFor({ uid, url, clientUid, state }: Receiver, event: OutboundEvent): NewMessage {
  const { type, data } = event
  const expiresAt = new Date(Date.now() + TWO_DAYS_MS)
  const payload: WebhookPayload = {
    body: bodyOf(event, clientUid !== null),
    clientUid: event.clientUid,
    programUid: programOf(data),
  }
  return {
    kind: type,
    channel: 'webhook',
    recipient: url,
    subject: isWebhookEvent(type) ? webhookEventLabel[type] : type,
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
const receiversOf = (db: Db, { type, clientUid }: OutboundEvent): Promise<Receiver[]> =>
  db
    .selectFrom('webhook')
    .select(['uid', 'url', 'client_uid as clientUid', 'state'])
    .where('state', '<>', 'ended')
    .where(sql<boolean>`${type} = any(events)`)
    .where((where) => where.or([where('client_uid', 'is', null), where('client_uid', '=', clientUid)]))
    .orderBy('uid')
    .forShare()
    .execute()

/** Makes a message of an event for each endpoint that wants it. */
export const sendToWebhooks: EventHandler = {
  types: webhookEvents,
  async handle(db, event) {
    const receivers = await receiversOf(db, event)
    await enqueue(
      db,
      receivers.map((receiver) => messageFor(receiver, event)),
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
  const at = new Date().toISOString()
  const payload: WebhookPayload = {
    body: JSON.stringify({ type: WEBHOOK_TEST, timestamp: at, data }),
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
      expiresAt: new Date(Date.now() + TEST_LASTS_MS),
    },
  ])
  if (message === undefined) throw new Error('A test has no key, so it is always made.')
  return message
}
