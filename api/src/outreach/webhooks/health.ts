import { type Webhook, webhookPauseLabel } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { holdTarget, recordEvents } from '../../platform/outbox/index.ts'
import { isDead } from './rules.ts'

/** The event by which other modules learn that the system paused an endpoint. */
export const WEBHOOK_PAUSED = 'webhook.paused'

/** Notes that an endpoint accepted something, at most once a minute while it works. */
export const noteAccepted = (db: Db, uid: string) =>
  db
    .updateTable('webhook')
    .set({ failures: 0, failing_since: null, last_accepted_at: sql`now()` })
    .where('uid', '=', uid)
    .where('state', '<>', 'ended')
    .where((eb) =>
      eb.or([
        eb('failures', '>', 0),
        eb('last_accepted_at', 'is', null),
        eb('last_accepted_at', '<', sql<string>`now() - interval '1 minute'`),
      ]),
    )
    .execute()

/** Notes a failed attempt. An endpoint that counts as dead is paused. */
export async function noteFailed(db: Db, uid: string): Promise<void> {
  const failing = await db
    .updateTable('webhook')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      failing_since: eb.fn.coalesce('failing_since', sql<string>`now()`),
    }))
    .where('uid', '=', uid)
    .where('state', '=', 'active')
    .returning(['failures', sql<number>`(extract(epoch from now() - failing_since) * 1000)::float8`.as('failingMs')])
    .executeTakeFirst()
  if (failing && isDead(failing)) await pauseBySystem(db, uid, 'failing')
}

/** Pauses an active endpoint and holds what waits for it. Needs a transaction. */
export async function pauseActive(db: Db, uid: string, pausedBy: string | null, reason: Webhook['pauseReason']) {
  const paused = await db
    .updateTable('webhook')
    .set({ state: 'paused', paused_at: sql`now()`, paused_by: pausedBy, pause_reason: reason })
    .where('uid', '=', uid)
    .where('state', '=', 'active')
    .returning(['url', 'client_uid as clientUid', 'created_by as createdBy'])
    .executeTakeFirst()
  if (paused) await holdTarget(db, uid)
  return paused
}

/** Pauses an active endpoint and says so. */
export const pauseBySystem = (db: Db, uid: string, reason: 'gone' | 'failing'): Promise<void> =>
  inTransaction(db, async (db) => {
    const paused = await pauseActive(db, uid, null, reason)
    if (!paused) return
    const { url, clientUid, createdBy } = paused
    await recordEvents(db, [
      {
        type: WEBHOOK_PAUSED,
        object: `webhook ${uid}`,
        clientUid,
        data: { webhookUid: uid, url, reason, sentence: webhookPauseLabel[reason], createdBy },
      },
    ])
  })
