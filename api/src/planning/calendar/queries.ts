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
    .onConflict((same) => same.column('user_uid').doUpdateSet({ token_hash: tokenHash, created_at: sql`now()` }))
    .returning('created_at')
    .executeTakeFirstOrThrow()

export const removeLink = (db: Db, userUid: string) =>
  db.deleteFrom('calendar_link').where('user_uid', '=', userUid).execute()

/** Finds the user of a link, unless the user is deleted. */
export const findLinkOwner = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('calendar_link as l')
    .innerJoin('user_account as u', 'u.uid', 'l.user_uid')
    .select(['u.uid', 'u.name', 'u.email', 'u.role', 'u.modules', 'u.client_uid as clientUid'])
    .where('l.token_hash', '=', tokenHash)
    .where('u.deleted_at', 'is', null)
    .$narrowType<{ role: Role; modules: ModuleKey[] }>()
    .executeTakeFirst()
