import {
  type ApiKey,
  type ApiKeyAccess,
  type apiKeys,
  type ApiKeyState,
  type BodyOf,
  type ModuleKey,
  type QueryOf,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { logList } from '../../platform/db/records/log-list.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
import { references } from '../../platform/db/records/references.ts'
import { noOwnRows } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { newApiKey, startOfApiKey } from '../../platform/http/api-key-token.ts'
import { hashToken } from '../../platform/http/session.ts'
import { lockAdmin } from './lock-admin.ts'
import { keyProblems } from './rules.ts'

type Query = QueryOf<typeof apiKeys.list>

const STATE = sql<ApiKeyState>`case when k.ended_at is not null then 'ended' when k.expires_at <= now() then 'expired' else 'open' end`

const allKeys = (db: Db) =>
  db
    .selectFrom('api_key as k')
    .innerJoin('user_account as m', 'm.uid', 'k.created_by')
    .leftJoin('user_account as e', 'e.uid', 'k.ended_by')
    .leftJoin('client as c', 'c.uid', 'k.client_uid')
    .select(['k.uid', 'k.created_at as at', 'k.name', 'k.token_start', 'k.modules', 'k.access', 'k.expires_at'])
    .select(['k.last_used_at', 'k.last_address', 'k.ended_at', 'k.end_reason', STATE.as('state')])
    .select(['m.uid as maker_uid', 'm.name as maker_name', 'e.uid as ender_uid', 'e.name as ender_name'])
    .select(['c.uid as client_uid', 'c.name as client_name'])
    .$narrowType<{ access: ApiKeyAccess; modules: ModuleKey[]; end_reason: ApiKey['endReason'] }>()

type Row = Awaited<ReturnType<ReturnType<typeof allKeys>['execute']>>[number]

const apiKeyOf = (row: Row): ApiKey => ({
  uid: row.uid,
  name: row.name,
  start: row.token_start,
  modules: row.modules,
  access: row.access,
  client: namedRefOf(row.client_uid, row.client_name),
  state: row.state,
  createdBy: { uid: row.maker_uid, name: row.maker_name },
  createdAt: row.at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  lastAddress: row.last_address,
  endedAt: row.ended_at,
  endedBy: namedRefOf(row.ender_uid, row.ender_name),
  endReason: row.end_reason,
})

export const apiKeyList = logList({
  rows: (db: Db, { state }: Query) => (state ? allKeys(db).where(STATE, 'in', state) : allKeys(db)),
  searched: sql<string>`concat_ws(' ', k.name, k.token_start, m.name, c.name)`,
  entryOf: apiKeyOf,
})

export async function getApiKey(db: Db, uid: string): Promise<ApiKey> {
  const row = await allKeys(db).where('k.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return apiKeyOf(row)
}

const clientReferences = references({ table: 'client', noun: 'client', own: noOwnRows })

/** Creates a key and returns it. Only a hash of it is stored. */
export const createApiKey = (
  db: Db,
  scope: Scope,
  { name, modules, access, clientUid, expiresInDays }: BodyOf<typeof apiKeys.create>,
): Promise<{ key: string; apiKey: ApiKey }> =>
  inTransaction(db, async (db) => {
    refuseFields(keyProblems({ modules }, await lockAdmin(db, scope.actor.uid)))
    refuseFields(await clientReferences.missingRefs(db, scope, { clientUid }))
    const key = newApiKey()
    const { uid } = await db
      .insertInto('api_key')
      .values({
        name,
        token_hash: hashToken(key),
        token_start: startOfApiKey(key),
        modules,
        access,
        client_uid: clientUid,
        created_by: scope.actor.uid,
        expires_at: sql`now() + ${expiresInDays} * interval '1 day'`,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { key, apiKey: await getApiKey(db, uid) }
  })

interface EndedKey {
  uid: string
  endedBy: RawBuilder<string> | string
  createdBy?: string
}

/** Ends an open key, at most once. */
async function endKey(db: Db, { uid, endedBy, createdBy }: EndedKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_key')
    .set({ ended_at: sql`now()`, ended_by: endedBy, end_reason: 'ended' })
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .$if(createdBy !== undefined, (query) => query.where('created_by', '=', createdBy ?? ''))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends a key; `isEnded` is false if it was ended before. */
export async function endApiKey(db: Db, { actor }: Scope, uid: string): Promise<{ apiKey: ApiKey; isEnded: boolean }> {
  const isEnded = await endKey(db, { uid, endedBy: actor.uid })
  return { apiKey: await getApiKey(db, uid), isEnded }
}

/** The open keys that a user created. */
export const openKeysOf = async (db: Db, userUid: string): Promise<ApiKey[]> =>
  (await allKeys(db).where('k.created_by', '=', userUid).where(STATE, '=', 'open').execute()).map(apiKeyOf)

/** Ends a key that a user created, in the name of the user of a session; undefined if there is none to end. */
export async function endKeyOf(
  db: Db,
  { userUid, uid, sessionUid }: { userUid: string; uid: string; sessionUid: string },
): Promise<ApiKey | undefined> {
  const endedBy = sql<string>`(select user_uid from session where uid = ${sessionUid}::uuid)`
  return (await endKey(db, { uid, endedBy, createdBy: userUid })) ? getApiKey(db, uid) : undefined
}
