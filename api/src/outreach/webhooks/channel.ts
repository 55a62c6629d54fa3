import { STATUS_CODES } from 'node:http'
import { WEBHOOK_TEST } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type Outbound, type OutboundAnswer, OutboundError, retryAfterMs } from '../../platform/http/outbound.ts'
import type { Channel, Ended, OutgoingMessage, SendingRun } from '../../platform/outbox/index.ts'
import { noteAccepted, noteFailed, pauseBySystem } from './health.ts'
import type { WebhookPayload } from './messages.ts'
import { stopOf, verdictOf } from './rules.ts'
import { openSecret, signedHeaders } from './signing.ts'

/** The endpoint of a message as it is now. */
const loadTarget = (db: Db, message: OutgoingMessage, { programUid }: WebhookPayload) =>
  db
    .selectFrom('webhook as w')
    .leftJoin('client_program as p', (join) => join.on('p.uid', '=', programUid))
    .select(['w.url', 'w.state', 'w.events', 'w.secret'])
    .select(['w.client_uid as clientUid', 'p.client_uid as programClientUid'])
    .select([
      // Null unless messages are signed with it too.
      sql<Buffer | null>`case when w.old_secret_until > now() then w.old_secret end`.as('oldSecret'),
      // Receivers refuse messages of a node whose clock is wrong.
      sql<string>`now()`.as('now'),
      // How long the message may still wait, if it is of two days.
      sql<number>`greatest(extract(epoch from ${message.createdAt}::timestamptz + interval '47 hours' - now()) * 1000,
                           14400000)::float8`.as('heldMs'),
    ])
    .where('w.uid', '=', message.target)
    .executeTakeFirst()

type Target = NonNullable<Awaited<ReturnType<typeof loadTarget>>>

const replyOf = ({ status, body }: OutboundAnswer) => ({ status, body: body.toString('utf8') })

const sentenceOf = ({ status }: OutboundAnswer) => `It answered ${`${status} ${STATUS_CODES[status] ?? ''}`.trim()}.`

const LONGEST_WAIT_MS = 12 * 3_600_000

/** How an attempt ended, by the answer. */
function endedBy(answer: OutboundAnswer, now: number): Ended {
  const verdict = verdictOf(answer.status)
  return {
    outcome: verdict === 'gone' ? 'refused' : verdict,
    answer: sentenceOf(answer),
    reply: replyOf(answer),
    retryAfterMs: retryAfterMs(answer, now, LONGEST_WAIT_MS),
  }
}

async function attempt(
  { outbound, trace }: Pick<Sending, 'outbound' | 'trace'>,
  target: Target,
  { uid, payload }: OutgoingMessage,
  secrets: string[],
) {
  const { body } = payload as WebhookPayload
  const at = new Date(target.now)
  try {
    const answer = await outbound.send({
      url: target.url,
      body,
      trace,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Roadshow-Webhooks/1',
        ...signedHeaders(secrets, { messageUid: uid, at, body }),
      },
    })
    return endedBy(answer, at.getTime())
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      outcome: 'failed',
      answer: error.message,
      reply: error.answer && replyOf(error.answer),
    } satisfies Ended
  }
}

const OTHER_KEY = "This node can't open the secret of the endpoint: it was sealed with another SECRET_KEY."

/** The secrets that sign a message now; undefined if this node can't open the current one. */
function secretsOf({ secret, oldSecret }: Target, uid: string): string[] | undefined {
  const current = openSecret(secret, uid)
  if (current === undefined) return undefined
  const old = oldSecret ? openSecret(oldSecret, uid) : undefined
  return old === undefined ? [current] : [current, old]
}

async function noteHealth(db: Db, uid: string, { outcome }: Ended): Promise<void> {
  if (outcome === 'accepted') await noteAccepted(db, uid)
  else if (outcome === 'refused') await pauseBySystem(db, uid, 'gone')
  else await noteFailed(db, uid)
}

interface Sending extends SendingRun {
  db: Db
  outbound: Outbound
}

async function sendOne(message: OutgoingMessage, { db, outbound, log, trace }: Sending): Promise<Ended> {
  const payload = message.payload as WebhookPayload
  const uid = message.target ?? ''
  const isTest = message.kind === WEBHOOK_TEST
  const target = await loadTarget(db, message, payload)
  const { clientUid } = payload
  const stop = stopOf(target, {
    event: message.kind,
    isTest,
    clientUid,
    programClientUid: target?.programClientUid ?? null,
  })
  if (stop?.outcome === 'cancelled' || !target) return { outcome: 'cancelled', answer: stop?.reason ?? '' }
  if (stop) return { outcome: 'failed', answer: stop.reason, retryAfterMs: target.heldMs }
  const secrets = secretsOf(target, uid)
  if (!secrets) return { outcome: 'failed', answer: OTHER_KEY }
  const ended = await attempt({ outbound, trace }, target, message, secrets)
  // A test says at once what is wrong and changes nothing else.
  if (isTest) return ended.outcome === 'failed' ? { ...ended, outcome: 'refused' } : ended
  // The answer counts, whether or not the health of the endpoint can be noted.
  await noteHealth(db, uid, ended).catch((error: unknown) => log(error))
  return ended
}

/** Sends messages to the endpoints of partners. Few at a time to each, so that one that hangs holds up no other. */
export const webhookChannel = (db: Db, outbound: Outbound): Channel => ({
  name: 'webhook',
  concurrency: 64,
  perTarget: 2,
  longestMs: 20_000,
  send: (message, run) => sendOne(message, { db, outbound, ...run }),
})
