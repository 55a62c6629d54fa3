import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'

/** How far a feed was read, as its source names it; undefined before the first page. */
export const feedVersion = async (db: Db, feed: string): Promise<string | undefined> =>
  (await db.selectFrom('geotab_cursor').select('version').where('entity', '=', feed).executeTakeFirst())?.version

/** A feed starts over, as one that was never read. */
export async function forgetFeed(db: Db, feed: string): Promise<void> {
  await db.deleteFrom('geotab_cursor').where('entity', '=', feed).execute()
}

/** The feeds of MyGeotab, whose versions hold for one database only. */
export const geotabFeeds = ['LogRecord', 'DeviceStatusInfo', 'StatusData'] as const

/** Beside the versions stands whose they are. */
const ACCOUNT = 'MyGeotab account'

/** Lets the feeds of MyGeotab start over when another database is read than before. */
export const beginFeedsOf = (db: Db, account: string): Promise<void> =>
  inTransaction(db, async (db) => {
    const before = await feedVersion(db, ACCOUNT)
    if (before === account) return
    // Versions that were stored before this was noted are those of the account that there was.
    if (before !== undefined)
      await db
        .deleteFrom('geotab_cursor')
        .where('entity', 'in', [...geotabFeeds])
        .execute()
    await sql`
      insert into geotab_cursor (entity, version) values (${ACCOUNT}, ${account})
          on conflict (entity) do update set version = excluded.version, polled_at = now()`.execute(db)
  })
