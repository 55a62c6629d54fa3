import { testMessageKinds } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { defineJob } from '../jobs/define-job.ts'
import { keptFor } from '../lifetimes/lifetime.ts'
import { defineModule } from '../module.ts'
import { messagesDead, messagesTotal, messagesWaiting, oldestMessageSeconds } from './metrics.ts'

export { cancelMessage, cancelTarget, holdBackRestored, holdTarget, releaseTarget, sendAgain } from './by-hand.ts'
export { type BeforeSending, type Channel, checkedChannel, type OutgoingMessage, type SendingRun } from './channel.ts'
export { enqueue, type NewMessage, openPayload, rewriteMessage } from './enqueue.ts'
export {
  type EventHandler,
  type GatheredData,
  gatherReport,
  handleEvents,
  type OutboundEvent,
  recordEvents,
} from './events.ts'
export type { Attempt, Ended } from './rules.ts'
export { sendDue, sendMessages } from './sender.ts'

const channels = ['mail', 'push', 'webhook'] as const

/** Counts what waits and what could not be delivered, for the metrics. */
async function countMessages(db: Db): Promise<void> {
  const { rows } = await sql<{ channel: string; waiting: number; oldest: number; dead: number }>`
    select c.channel, w.waiting, w.oldest, d.dead
      from unnest(${[...channels]}::text[]) c (channel)
     cross join lateral (
       select count(*) filter (where next_at <= now())::int as waiting,
              coalesce(extract(epoch from now() - min(case when attempts = 0 then next_at else created_at end)), 0)::float8 as oldest
         from message where channel = c.channel and state = 'waiting' and (next_at <= now() or attempts > 0)) w
     cross join lateral (
       select count(*)::int as dead
         from message
        where channel = c.channel and state = 'dead' and kind <> all(${[...testMessageKinds]}::text[])) d`.execute(db)
  for (const { channel, waiting, oldest, dead } of rows) {
    messagesWaiting.set({ channel }, waiting)
    oldestMessageSeconds.set({ channel }, oldest)
    messagesDead.set({ channel }, dead)
  }
}

const countMessagesJob = defineJob('count-messages', ({ db }) => countMessages(db))

export const outboxModule = defineModule({
  name: 'platform/outbox',
  tables: {
    message: keptFor('90 days', 'done_at', {
      since: 'it was sent or given up',
      bound: 'Messages to people and to the systems of partners. Waiting ones end within days.',
    }),
    outbound_event: keptFor('90 days', 'failed_at', {
      since: 'it failed',
      bound:
        'Events to make messages of. A job does it within seconds; one that fails again and again stays to be seen.',
    }),
  },
  metrics: [messagesTotal, messagesWaiting, oldestMessageSeconds, messagesDead],
  jobs: [countMessagesJob],
})
