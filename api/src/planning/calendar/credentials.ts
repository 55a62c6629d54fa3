import type { CredentialSource } from '../../platform/credentials.ts'
import { removeLink } from './queries.ts'

/** The private link to a user's own shifts. Changes of the account end it in the database. */
export const calendarCredentials: CredentialSource = {
  kind: 'calendar',
  list: async (db, userUid) => {
    const rows = await db.selectFrom('calendar_link').selectAll().where('user_uid', '=', userUid).execute()
    return rows.map((row) => ({
      uid: row.uid,
      name: 'Own shifts',
      createdAt: row.created_at,
      lastUsedAt: row.used_at,
      address: row.used_from,
    }))
  },
  end: async (db, userUid, uid) => {
    const { numDeletedRows } = await db
      .deleteFrom('calendar_link')
      .where('user_uid', '=', userUid)
      .where('uid', '=', uid)
      .executeTakeFirst()
    return numDeletedRows === 1n ? 'own shifts' : undefined
  },
  endOnForcedSignOut: removeLink,
}
