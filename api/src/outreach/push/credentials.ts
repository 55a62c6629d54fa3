import type { CredentialSource } from '../../platform/credentials.ts'
import { removeBrowser, removeBrowsers, removeOtherBrowsers } from './queries.ts'

/** Browsers that show a user's notifications. Signing out of one, and changes of the account, end it in the database. */
export const pushCredentials: CredentialSource = {
  kind: 'push',
  list: async (db, userUid, { sessionUid, isOwner }) => {
    const rows = await db
      .selectFrom('push_subscription')
      .select(['uid', 'browser', 'service', 'address', 'session_uid', 'created_at', 'accepted_at'])
      .where('user_uid', '=', userUid)
      .execute()
    return rows.map((row) => ({
      uid: row.uid,
      name: row.browser,
      detail: `By ${row.service}`,
      createdAt: row.created_at,
      lastUsedAt: row.accepted_at,
      address: row.address,
      isThisOne: isOwner && row.session_uid === sessionUid,
    }))
  },
  end: async (db, userUid, uid) => (await removeBrowser(db, userUid, uid))?.browser,
  endOnForcedSignOut: removeBrowsers,
  endElsewhere: removeOtherBrowsers,
}
