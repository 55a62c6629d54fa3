import type { Db } from '../../platform/db/connection.ts'
import { enqueue, type NewMessage } from '../../platform/outbox/index.ts'
import type { Push } from './rules.ts'

type Options = Pick<NewMessage, 'key' | 'notBefore' | 'expiresAt' | 'ordering'>

interface PushMessage extends Options {
  kind: string
  userUid: string
  push: Push
  /** One browser only. */
  browserUid?: string
  /** Not these. */
  exceptBrowsers?: readonly string[]
}

/**
 * Keeps a notification for each browser of its user, in the transaction that causes it. Answers the uids of the messages:
 * none where the user has no browser, or where the key was used before.
 */
export async function enqueuePush(db: Db, message: PushMessage): Promise<string[]> {
  const { push, userUid, browserUid, exceptBrowsers = [], key, ...rest } = message
  const browsers = await db
    .selectFrom('push_subscription as s')
    .innerJoin('user_account as u', 'u.uid', 's.user_uid')
    .select(['s.uid', 's.browser', 'u.email'])
    .where('s.user_uid', '=', userUid)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.uid')
    .execute()
  const made = browsers
    .filter(({ uid }) => (browserUid === undefined || uid === browserUid) && !exceptBrowsers.includes(uid))
    .map(({ uid, browser, email }): NewMessage => ({
      ...rest,
      channel: 'push',
      recipient: `${email}, ${browser}`,
      subject: push.title,
      payload: push,
      userUid,
      target: uid,
      ...(key !== undefined && { key: `${key} ${uid}` }),
    }))
  return enqueue(db, made)
}
