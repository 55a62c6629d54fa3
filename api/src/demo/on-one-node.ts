import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'

/** Works on one node of all that share the database; answers false, without working, where another has the lock. */
export const onOneNode = (db: Db, lock: string, work: () => Promise<void>): Promise<boolean> =>
  db.connection().execute(async (held) => {
    const taking = sql<{ isMine: boolean }>`select pg_try_advisory_lock(hashtext(${lock})) as "isMine"`
    if (!(await taking.execute(held)).rows[0]?.isMine) return false
    try {
      await work()
      return true
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${lock}))`.execute(held)
    }
  })
