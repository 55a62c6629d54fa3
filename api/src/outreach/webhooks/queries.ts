import {
  type BodyOf,
  type ModuleKey,
  type QueryOf,
  type Webhook,
  type WebhookEvent,
  webhookModules,
  type webhooks,
  type WebhookState,
} from '@roadshow/contract'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { lockAdmin } from '../../accounts/api-keys/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { logList } from '../../platform/db/records/log-list.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
import { noOwnRows } from '../../platform/db/records/records.ts'
import { references } from '../../platform/db/records/references.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { cancelTarget, releaseTarget } from '../../platform/outbox/index.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { pauseActive } from './health.ts'
import { newSecret, sealSecret } from './signing.ts'

const WAITING = sql<number>`(select count(*)::int from message where target = w.uid and state = 'waiting')`
const OLD_SECRET_UNTIL = sql<string | null>`case when w.old_secret_until > now() then w.old_secret_until end`

const allWebhooks = (db: Db) =>
  db
    .selectFrom('webhook as w')
    .innerJoin('user_account as m', 'm.uid', 'w.created_by')
    .leftJoin('user_account as p', 'p.uid', 'w.paused_by')
    .leftJoin('user_account as e', 'e.uid', 'w.ended_by')
    .leftJoin('client as c', 'c.uid', 'w.client_uid')
    .select(['w.uid', 'w.created_at as at', 'w.version', 'w.url', 'w.description', 'w.events', 'w.state'])
    .select(['w.paused_at', 'w.pause_reason', 'w.ended_at', 'w.end_reason', 'w.failures', 'w.failing_since'])
    .select(['w.last_accepted_at', OLD_SECRET_UNTIL.as('old_secret_until'), WAITING.as('waiting')])
    .select(['m.uid as maker_uid', 'm.name as maker_name', 'p.uid as pauser_uid', 'p.name as pauser_name'])
    .select(['e.uid as ender_uid', 'e.name as ender_name', 'c.uid as client_uid', 'c.name as client_name'])
    .$narrowType<{
      events: WebhookEvent[]
      state: WebhookState
      pause_reason: Webhook['pauseReason']
      end_reason: Webhook['endReason']
    }>()

type Row = Awaited<ReturnType<ReturnType<typeof allWebhooks>['execute']>>[number]

const webhookOf = (row: Row): Webhook => ({
  uid: row.uid,
  version: row.version,
  url: row.url,
  description: row.description,
  events: row.events,
  client: namedRefOf(row.client_uid, row.client_name),
  state: row.state,
  createdBy: { uid: row.maker_uid, name: row.maker_name },
  createdAt: row.at,
  pausedAt: row.paused_at,
  pausedBy: namedRefOf(row.pauser_uid, row.pauser_name),
  pauseReason: row.pause_reason,
  endedAt: row.ended_at,
  endedBy: namedRefOf(row.ender_uid, row.ender_name),
  endReason: row.end_reason,
  oldSecretUntil: row.old_secret_until,
  failures: row.failures,
  failingSince: row.failing_since,
  lastAcceptedAt: row.last_accepted_at,
  waiting: row.waiting,
})

export const webhookList = logList({
  rows: (db: Db, { state }: QueryOf<typeof webhooks.list>) =>
    state ? allWebhooks(db).where('w.state', 'in', state) : allWebhooks(db),
  searched: sql<string>`concat_ws(' ', w.url, w.description, m.name, c.name)`,
  entryOf: webhookOf,
})

export async function getWebhook(db: Db, uid: string): Promise<Webhook> {
  const row = await allWebhooks(db).where('w.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return webhookOf(row)
}

const clientReferences = references({ table: 'client', noun: 'client', own: noOwnRows })

/** Refuses events of modules that a user does not hold. */
async function requireModules(db: Db, uid: string, events: readonly WebhookEvent[]): Promise<ModuleKey[]> {
  const { modules: held } = await lockAdmin(db, uid)
  const needed = webhookModules(events)
  if (!needed.every((key) => held.includes(key)))
    refuseFields({ events: 'You can only choose events of modules that you and its creator hold.' })
  return needed
}

export interface WithSecret {
  secret: string
  webhook: Webhook
}

/** Adds an endpoint and returns its secret, which is shown this once. */
export const createWebhook = (db: Db, scope: Scope, body: BodyOf<typeof webhooks.create>): Promise<WithSecret> =>
  inTransaction(db, async (db) => {
    const { url, description, events, clientUid } = body
    const modules = await requireModules(db, scope.actor.uid, events)
    refuseFields(await clientReferences.missingRefs(db, scope, { clientUid }))
    const [uid, secret] = [randomUUID(), newSecret()]
    await db
      .insertInto('webhook')
      .values({
        uid,
        url,
        description,
        events,
        modules,
        client_uid: clientUid,
        secret: sealSecret(secret, uid),
        created_by: scope.actor.uid,
      })
      .execute()
    return { secret, webhook: await getWebhook(db, uid) }
  })

/** Locks an endpoint that has not ended. */
async function lockWebhook(db: Db, uid: string) {
  const row = await db
    .selectFrom('webhook')
    .select(['state', 'version', 'client_uid', 'created_by', 'secret'])
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('notFound')
  if (row.state === 'ended') throw new AppError('webhookState', { text: 'This webhook has ended.' })
  return row
}

export const updateWebhook = (db: Db, scope: Scope, body: BodyOf<typeof webhooks.update>): Promise<Webhook> =>
  inTransaction(db, async (db) => {
    const { uid, version, url, description, events } = body
    const before = await lockWebhook(db, uid)
    if (before.version !== version) throw new AppError('staleVersion')
    const modules = await requireModules(db, scope.actor.uid, events)
    await requireModules(db, before.created_by, events)
    await db
      .updateTable('webhook')
      .set({ url, description, events, modules, version: version + 1 })
      .where('uid', '=', uid)
      .execute()
    return getWebhook(db, uid)
  })

export const pauseWebhook = (db: Db, { actor }: Scope, uid: string): Promise<Webhook> =>
  inTransaction(db, async (db) => {
    await lockWebhook(db, uid)
    await pauseActive(db, uid, actor.uid, 'paused')
    return getWebhook(db, uid)
  })

const SKIPPED = 'It was skipped when the endpoint was resumed.'

/** Resumes an endpoint with a clean record, and sends or cancels what waited. */
export const resumeWebhook = (db: Db, uid: string, waiting: 'send' | 'cancel'): Promise<Webhook> =>
  inTransaction(db, async (db) => {
    const { state } = await lockWebhook(db, uid)
    if (state === 'paused') {
      await db
        .updateTable('webhook')
        .set({
          state: 'active',
          paused_at: null,
          paused_by: null,
          pause_reason: null,
          failures: 0,
          failing_since: null,
        })
        .where('uid', '=', uid)
        .execute()
      if (waiting === 'send') await releaseTarget(db, uid)
      else await cancelTarget(db, uid, SKIPPED)
    }
    return getWebhook(db, uid)
  })

/** Ends an endpoint; `isEnded` is false if it had ended before. */
export const endWebhook = (db: Db, { actor }: Scope, uid: string): Promise<{ webhook: Webhook; isEnded: boolean }> =>
  inTransaction(db, async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('webhook')
      .set({ state: 'ended', ended_at: sql`now()`, ended_by: actor.uid, end_reason: 'ended' })
      .set({ paused_at: null, paused_by: null, pause_reason: null })
      .where('uid', '=', uid)
      .where('state', '<>', 'ended')
      .executeTakeFirst()
    const isEnded = numUpdatedRows === 1n
    if (isEnded) await cancelTarget(db, uid, 'The endpoint has ended.')
    return { webhook: await getWebhook(db, uid), isEnded }
  })

/** Makes a new secret. The old one signs too until the overlap ends. */
export const rotateSecret = (db: Db, uid: string, overlapHours: number): Promise<WithSecret> =>
  inTransaction(db, async (db) => {
    const { secret: current } = await lockWebhook(db, uid)
    const secret = newSecret()
    await db
      .updateTable('webhook')
      .set({ secret: sealSecret(secret, uid) })
      .set(
        overlapHours > 0
          ? { old_secret: current, old_secret_until: sql`now() + make_interval(hours => ${overlapHours})` }
          : { old_secret: null, old_secret_until: null },
      )
      .where('uid', '=', uid)
      .execute()
    return { secret, webhook: await getWebhook(db, uid) }
  })
