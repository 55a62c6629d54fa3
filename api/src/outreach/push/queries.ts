import { createHash } from 'node:crypto'
import type { PushBrowser, PushSubscriptionInput } from '@roadshow/contract'
import { type Insertable, sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import { seal, unseal } from '../../platform/runtime/secret-box.ts'
import { findOrCreateKey, openPrivateKey } from './keys.ts'

/** Browsers that one user can have. Another one takes the place of the one that was used least recently. */
export const MOST_BROWSERS = 20

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest()

// Sealed for its endpoint, not for its row: the same browser may subscribe again.
const ownerOf = (endpointHash: Buffer) => `push subscription ${endpointHash.toString('hex')}`

/** A user's browsers, the newest first. */
export const loadBrowsers = (db: Db, userUid: string) =>
  db
    .selectFrom('push_subscription')
    .select(['uid', 'browser as name', 'service', 'address', 'session_uid as sessionUid'])
    .select(['created_at as createdAt', 'accepted_at as acceptedAt'])
    .where('user_uid', '=', userUid)
    .orderBy('created_at', 'desc')
    .execute()

export async function listBrowsers(db: Db, userUid: string, ownSession: string): Promise<PushBrowser[]> {
  const browsers = await loadBrowsers(db, userUid)
  return browsers.map(({ uid, name, createdAt, acceptedAt, sessionUid }) => ({
    uid,
    name,
    createdAt,
    acceptedAt,
    isThisOne: sessionUid === ownSession,
  }))
}

interface NewBrowser {
  userUid: string
  sessionUid: string
  /** As people know it. */
  browser: string
  address: string
  subscription: PushSubscriptionInput
}

/**
 * Keeps a browser's subscription. One that was another user's is this user's from now on. A browser has one subscription: a
 * newer one of the same session takes the place of the older, with the messages that wait for it.
 */
export const saveBrowser = (db: Db, { userUid, sessionUid, browser, address, subscription }: NewBrowser) =>
  inTransaction(db, async (db) => {
    const { uid: keyUid } = await findOrCreateKey(db)
    const hash = hashOf(subscription.endpoint)
    const row = {
      user_uid: userUid,
      key_uid: keyUid,
      session_uid: sessionUid,
      sealed_subscription: seal(Buffer.from(JSON.stringify(subscription)), ownerOf(hash)),
      service: new URL(subscription.endpoint).host,
      browser,
      address,
      endpoint_hash: hash,
    }
    await removeForeign(db, hash, userUid)
    const uid = (await swapOlder(db, row)) ?? (await addBrowser(db, row))
    await removeBeyond(db, userUid, uid)
    return uid
  })

type BrowserRow = Insertable<DB['push_subscription']> & { endpoint_hash: Buffer; session_uid: string }

const addBrowser = async (db: Db, row: BrowserRow): Promise<string> => {
  const { uid } = await db
    .insertInto('push_subscription')
    .values(row)
    .onConflict((same) => same.column('endpoint_hash').doUpdateSet(row))
    .returning('uid')
    .executeTakeFirstOrThrow()
  return uid
}

/** Puts a subscription in the place of the older ones of its session; undefined if there is none, or it is known already. */
async function swapOlder(db: Db, row: BrowserRow): Promise<string | undefined> {
  const rows = await db
    .selectFrom('push_subscription')
    .select(['uid', 'endpoint_hash as hash'])
    .where((match) =>
      match.or([match('session_uid', '=', row.session_uid), match('endpoint_hash', '=', row.endpoint_hash)]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .forUpdate()
    .execute()
  const isSame = ({ hash }: (typeof rows)[number]) => hash.equals(row.endpoint_hash)
  const kept = rows.find(isSame) ?? rows[0]
  const ended = rows.filter((each) => each !== kept).map(({ uid }) => uid)
  if (ended.length > 0) await db.deleteFrom('push_subscription').where('uid', 'in', ended).execute()
  if (!kept || isSame(kept)) return undefined
  await db.updateTable('push_subscription').set(row).where('uid', '=', kept.uid).execute()
  return kept.uid
}

/** A browser in another user's hands gets a uid of its own: messages that wait for the old one are never sent to it. */
const removeForeign = (db: Db, endpointHash: Buffer, userUid: string) =>
  db
    .deleteFrom('push_subscription')
    .where('endpoint_hash', '=', endpointHash)
    .where('user_uid', '<>', userUid)
    .execute()

const removeBeyond = (db: Db, userUid: string, newest: string) =>
  db
    .deleteFrom('push_subscription')
    .where('uid', 'in', (rows) =>
      rows
        .selectFrom('push_subscription')
        .select('uid')
        .where('user_uid', '=', userUid)
        .where('uid', '<>', newest)
        .orderBy(sql`coalesce(accepted_at, created_at)`, 'desc')
        .offset(MOST_BROWSERS - 1),
    )
    .execute()

/** Whether the user's notifications are on in a browser. Those of another user end there; the browser is this session's now. */
export const confirmBrowser = (
  db: Db,
  { userUid, sessionUid, endpoint }: { userUid: string; sessionUid: string; endpoint: string },
) =>
  inTransaction(db, async (db) => {
    const hash = hashOf(endpoint)
    await removeForeign(db, hash, userUid)
    const { numUpdatedRows } = await db
      .updateTable('push_subscription')
      .set({ session_uid: sessionUid })
      .where('endpoint_hash', '=', hash)
      .where('user_uid', '=', userUid)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })

/** Ends all browsers of a user, or those of other sessions than the one that is kept. */
export const removeBrowsers = (db: Db, userUid: string, keptSession: string | null = null) =>
  db
    .deleteFrom('push_subscription')
    .where('user_uid', '=', userUid)
    .$if(keptSession !== null, (query) => query.where('session_uid', 'is distinct from', keptSession))
    .execute()

/** Ends one of a user's browsers; answers which it was. */
export const removeBrowser = (db: Db, userUid: string, uid: string) =>
  db
    .deleteFrom('push_subscription')
    .where('uid', '=', uid)
    .where('user_uid', '=', userUid)
    .returning('browser')
    .executeTakeFirst()

/** Ends a subscription that its browser has given up. */
export const removeGone = (db: Db, uid: string) => db.deleteFrom('push_subscription').where('uid', '=', uid).execute()

/** Notes that the push service took a message, at most once a minute. */
export const noteAccepted = (db: Db, uid: string) =>
  db
    .updateTable('push_subscription')
    .set({ accepted_at: sql`now()` })
    .where('uid', '=', uid)
    .where((eb) =>
      eb.or([eb('accepted_at', 'is', null), eb('accepted_at', '<', sql<string>`now() - interval '1 minute'`)]),
    )
    .execute()

export interface OpenSubscription {
  subscription: PushSubscriptionInput
  publicKey: string
  privateKey: string
}

/**
 * What is needed to send to a browser: undefined if it no longer takes messages of this user, `sealed` if this node has
 * another key than the one that sealed it.
 */
export async function openSubscription(
  db: Db,
  uid: string,
  userUid: string | null,
): Promise<OpenSubscription | 'sealed' | undefined> {
  const row = await db
    .selectFrom('push_subscription as s')
    .innerJoin('push_key as k', 'k.uid', 's.key_uid')
    .select(['s.sealed_subscription', 's.endpoint_hash', 'k.public_key', 'k.sealed_private_key'])
    .where('s.uid', '=', uid)
    .$if(userUid !== null, (query) => query.where('s.user_uid', '=', userUid ?? ''))
    .executeTakeFirst()
  if (!row) return undefined
  const opened = unseal(row.sealed_subscription, ownerOf(row.endpoint_hash))
  const privateKey = openPrivateKey(row.sealed_private_key)
  if (!opened || privateKey === undefined) return 'sealed'
  return {
    subscription: JSON.parse(opened.toString()) as PushSubscriptionInput,
    publicKey: row.public_key,
    privateKey,
  }
}
