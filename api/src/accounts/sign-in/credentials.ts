import { type MadeBy, madeByLabel } from '@roadshow/contract'
import { sql } from 'kysely'
import type { CredentialSource } from '../../platform/credentials.ts'
import { endOpenLinks } from './password-links.ts'
import { endSessions } from './sessions.ts'

export const sessionCredentials: CredentialSource = {
  kind: 'session',
  list: async (db, userUid, { sessionUid, isOwner }) => {
    const rows = await db
      .selectFrom('session')
      .select(['uid', 'address', 'user_agent', 'made_by', 'created_at', 'seen_at', 'expires_at'])
      .where('user_uid', '=', userUid)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .orderBy('created_at', 'desc')
      .limit(200)
      .execute()
    return rows.map((row) => ({
      uid: row.uid,
      name: row.user_agent ?? '',
      detail: madeByLabel[row.made_by as MadeBy],
      createdAt: row.created_at,
      lastUsedAt: row.seen_at,
      expiresAt: row.expires_at,
      address: row.address ?? '',
      isThisOne: row.uid === sessionUid,
      // One's own session ends by signing out.
      canEnd: !(isOwner && row.uid === sessionUid),
    }))
  },
  end: async (db, userUid, uid) => {
    const session = await db.selectFrom('session').select('address').where('uid', '=', uid).executeTakeFirst()
    return (await endSessions(db, userUid, { only: uid })) === 1 ? (session?.address ?? '') : undefined
  },
}

const linkName: Record<string, string> = { invitation: 'Invitation', reset: 'Password reset' }

export const passwordLinkCredentials: CredentialSource = {
  kind: 'link',
  list: async (db, userUid) => {
    const rows = await db
      .selectFrom('password_reset')
      .select(['uid', 'kind', 'email', 'address', 'created_at', 'expires_at'])
      .where('user_uid', '=', userUid)
      .where('used_at', 'is', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .execute()
    return rows.map((row) => ({
      uid: row.uid,
      name: linkName[row.kind] ?? '',
      detail: `Sent to ${row.email}`,
      createdAt: row.created_at,
      lastUsedAt: null,
      expiresAt: row.expires_at,
      address: row.address,
    }))
  },
  end: async (db, userUid, uid) => {
    const ended = await endOpenLinks(db, userUid)
      .where('uid', '=', uid)
      .where('expires_at', '>', sql<string>`now()`)
      .returning(['kind', 'email'])
      .executeTakeFirst()
    return ended && `${linkName[ended.kind] ?? ''}, sent to ${ended.email}`
  },
  // An invitation stays: its user has no password yet, and was never signed in.
  endOnForcedSignOut: (db, userUid) => endOpenLinks(db, userUid).where('kind', '=', 'reset').execute(),
}
