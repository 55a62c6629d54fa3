import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetails,
  type QueryOf,
  type webhookDeliveries,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { logList } from '../../platform/db/records/log-list.ts'
import { type Attempt, openPayload, sendAgain } from '../../platform/outbox/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { enqueueTest, type WebhookPayload } from './messages.ts'
import { getWebhook } from './queries.ts'
import { webhookIdOf } from './signing.ts'

type Query = QueryOf<typeof webhookDeliveries.list>

const NEXT_AT = sql<string | null>`case when d.state = 'waiting' and d.next_at < d.expires_at then d.next_at end`

const allDeliveries = (db: Db) =>
  db
    .selectFrom('message as d')
    .innerJoin('webhook as w', 'w.uid', 'd.target')
    .where('d.channel', '=', 'webhook')
    .select([
      'd.uid',
      'd.created_at as at',
      'd.kind',
      'd.state',
      'd.attempts',
      'd.expires_at',
      'd.done_at',
      'd.problem',
    ])
    .select(['w.uid as webhook_uid', 'w.url', NEXT_AT.as('next_at')])
    .$narrowType<{ kind: Delivery['event']; state: Delivery['state'] }>()

type Row = Awaited<ReturnType<ReturnType<typeof allDeliveries>['execute']>>[number]

const deliveryOf = (row: Row): Delivery => ({
  uid: row.uid,
  webhookId: webhookIdOf(row.uid),
  at: row.at,
  event: row.kind,
  webhook: { uid: row.webhook_uid, url: row.url },
  state: row.state,
  attempts: row.attempts,
  nextAt: row.next_at,
  expiresAt: row.expires_at,
  doneAt: row.done_at,
  problem: row.state === 'sent' ? null : row.problem,
})

export const deliveryList = logList({
  rows: (db: Db, { webhookUid, state, event }: Query) =>
    allDeliveries(db)
      .$if(webhookUid !== undefined, (query) => query.where('d.target', 'in', webhookUid ?? []))
      .$if(state !== undefined, (query) => query.where('d.state', 'in', state ?? []))
      .$if(event !== undefined, (query) => query.where('d.kind', 'in', event ?? [])),
  searched: sql<string>`concat_ws(' ', w.url, w.description)`,
  entryOf: deliveryOf,
})

const attemptOf = ({ at, ms, outcome, answer, reply }: Attempt): DeliveryAttempt => ({
  at: new Date(at).toISOString(),
  ms,
  isAccepted: outcome === 'accepted',
  result: answer,
  status: reply?.status ?? null,
  answer: reply?.body ?? '',
})

export async function getDelivery(db: Db, uid: string): Promise<DeliveryDetails> {
  const row = await allDeliveries(db).select(['d.payload', 'd.log']).where('d.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  const payload = row.payload && (openPayload(row.payload, uid) as WebhookPayload | undefined)
  return {
    ...deliveryOf(row),
    body: payload?.body ?? null,
    log: (row.log as unknown as Attempt[]).map(attemptOf),
  }
}

const refuse = (text: string) => new AppError('webhookState', { text })

/** Sends a message again under its own id. */
export const sendDeliveryAgain = (db: Db, uid: string): Promise<DeliveryDetails> =>
  inTransaction(db, async (db) => {
    const { webhook, state } = await getDelivery(db, uid)
    const endpoint = await getWebhook(db, webhook.uid)
    if (endpoint.state === 'ended') throw refuse('This webhook has ended.')
    if (endpoint.state === 'paused') throw refuse('This webhook is paused. Resume it first.')
    if (state === 'waiting') throw refuse('This message is being sent already.')
    await sendAgain(db, uid, ['sent', 'dead', 'cancelled'])
    return getDelivery(db, uid)
  })

/** Sends a test to an endpoint, paused or not. */
export const sendTest = (db: Db, uid: string): Promise<DeliveryDetails> =>
  inTransaction(db, async (db) => {
    const webhook = await getWebhook(db, uid)
    if (webhook.state === 'ended') throw refuse('This webhook has ended.')
    return getDelivery(db, await enqueueTest(db, webhook))
  })
