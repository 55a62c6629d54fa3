import type { BodyOf, Pop, pops } from '@roadshow/contract'
import { hashPassword } from '../../../accounts/sign-in/index.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { popRows } from '../publication/pop-rows.ts'
import { loadPop } from './queries.ts'

/** Sets or removes the password of a public page. Passes that were given for another password end at once. */
export async function setPagePassword(db: Db, scope: Scope, input: BodyOf<typeof pops.setPassword>): Promise<Pop> {
  const { uid, version, password } = input
  const hash = password === null ? null : await hashPassword(password)
  await inTransaction(db, async (db) => {
    await loadPop(db, scope, uid)
    await popRows.update(db, scope, uid, version, {
      password_set_at: hash === null ? null : new Date(await sharedNow(db)),
    })
    if (hash === null) await db.deleteFrom('pop_password').where('program_uid', '=', uid).execute()
    else
      await db
        .insertInto('pop_password')
        .values({ program_uid: uid, hash })
        .onConflict((conflict) => conflict.column('program_uid').doUpdateSet({ hash }))
        .execute()
  })
  return loadPop(db, scope, uid)
}
