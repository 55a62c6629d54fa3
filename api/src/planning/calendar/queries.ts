import type { ModuleKey, Role } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Finds the link of a user. */
export const findLink = (db: Db, userUid: string) =>
  db.selectFrom('calendar_link').select('created_at').where('user_uid', '=', userUid).executeTakeFirst()

/** Gives a user a new link that replaces an older one. */
export const replaceLink = (db: Db, userUid: string, tokenHash: Buffer) =>
  db
    .insertInto('calendar_link')
    .values({ user_uid: userUid, token_hash: tokenHash })
    .onConflict((same) =>
      same.column('user_uid').doUpdateSet({
        token_hash: tokenHash,
        uid: sql`new_uid()`,
        created_at: sql`now()`,
        used_at: null,
        used_from: '',
      }),
    )
    .returning('created_at')
    .executeTakeFirstOrThrow()

export const removeLink = (db: Db, userUid: string) =>
  db.deleteFrom('calendar_link').where('user_uid', '=', userUid).execute()

/** Finds the user of a link, unless the user is deleted. */
export const findLinkOwner = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('calendar_link as l')
    .innerJoin('user_account as u', 'u.uid', 'l.user_uid')
    .select(['l.uid as linkUid', 'u.uid', 'u.name', 'u.email', 'u.role', 'u.modules', 'u.client_uid as clientUid'])
    .where('l.token_hash', '=', tokenHash)
    .where('u.deleted_at', 'is', null)
    .$narrowType<{ role: Role; modules: ModuleKey[] }>()
    .executeTakeFirst()

/** Notes when and from where a link was last read, at most every ten minutes. */
export const noteUse = (db: Db, linkUid: string, address: string) =>
  db
    .updateTable('calendar_link')
    .set({ used_at: sql`now()`, used_from: address })
    .where('uid', '=', linkUid)
    .where((eb) => eb.or([eb('used_at', 'is', null), eb('used_at', '<', sql<string>`now() - interval '10 minutes'`)]))
    .execute()
