import type { CredentialSource } from '../../platform/credentials.ts'
import { endKeyOf, openKeysOf } from './queries.ts'
import { nameOfKey, reachOfKey } from './rules.ts'

/** The keys that a user created: they act in the user's name. */
export const apiKeyCredentials: CredentialSource = {
  kind: 'apiKey',
  list: async (db, userUid) =>
    (await openKeysOf(db, userUid)).map((key) => ({
      uid: key.uid,
      name: nameOfKey(key),
      detail: reachOfKey(key),
      createdAt: key.createdAt,
      lastUsedAt: key.lastUsedAt,
      expiresAt: key.expiresAt,
      address: key.lastAddress ?? '',
    })),
  end: async (db, userUid, uid, { sessionUid }) => {
    const ended = await endKeyOf(db, { userUid, uid, sessionUid })
    return ended && nameOfKey(ended)
  },
}
