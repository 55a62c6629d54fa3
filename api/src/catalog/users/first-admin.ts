import { defaultModules } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'

/** Adds an admin without a password. Answers undefined when the email address is taken. */
export async function addFirstAdmin(db: Db, user: { email: string; name: string }): Promise<string | undefined> {
  const added = await db
    .insertInto('user_account')
    .values({ ...user, role: 'admin', modules: [...defaultModules.admin] })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('uid')
    .executeTakeFirst()
  return added?.uid
}
