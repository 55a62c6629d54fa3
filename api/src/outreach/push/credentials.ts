import type { CredentialSource } from '../../platform/credentials.ts'
import { loadBrowsers, removeBrowser, removeBrowsers } from './queries.ts'

/** Browsers that show a user's notifications. Signing out of one, and changes of the account, end it in the database. */
export const pushCredentials: CredentialSource = {
  kind: 'push',
  list: async (db, userUid, { sessionUid, isOwner }) => {
    const browsers = await loadBrowsers(db, userUid)
    return browsers.map(({ service, acceptedAt, sessionUid: ofSession, ...browser }) => ({
      ...browser,
      detail: `By ${service}`,
      lastUsedAt: acceptedAt,
      isThisOne: isOwner && ofSession === sessionUid,
    }))
  },
  end: async (db, userUid, uid) => (await removeBrowser(db, userUid, uid))?.browser,
  endOnForcedSignOut: (db, userUid) => removeBrowsers(db, userUid),
  endElsewhere: removeBrowsers,
}
