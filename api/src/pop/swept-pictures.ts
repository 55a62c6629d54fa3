import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'
import type { BlobStore } from '../files/index.ts'
import { removePictures } from './pictures.ts'

// Nobody gets a deleted photo back by themselves; for this long whoever looks after the database still can.
const KEPT_DAYS = 30
const AT_ONCE = 200

interface Due {
  uid: string
  key: string
  isPublished: boolean
}

/**
 * Removes the pictures of some photos that were deleted long ago, the oldest first, and says how many photos it looked
 * at. What a published version shows stays for good: versions are never removed, and none to come shows what is deleted.
 */
export const sweepPictures = (db: Db, blobs: BlobStore): Promise<number> =>
  inTransaction(db, async (db) => {
    const { rows: due } = await sql<Due>`
      select t.uid, t.key, exists (select from pop_version_picture g where g.key = t.key) as "isPublished"
        from pop_photo t
       where t.deleted_at < now() - make_interval(days => ${KEPT_DAYS}) and t.pictures = 'kept'
       order by t.deleted_at limit ${AT_ONCE} for update skip locked`.execute(db)
    // Those that are gone already do no harm, should it break off here.
    for (const { key, isPublished } of due) if (!isPublished) await removePictures(blobs, key)
    await mark(db, due, 'published')
    await mark(db, due, 'removed')
    return due.length
  })

async function mark(db: Db, due: readonly Due[], pictures: 'published' | 'removed'): Promise<void> {
  const photos = due.filter(({ isPublished }) => isPublished === (pictures === 'published'))
  if (photos.length === 0) return
  const uids = photos.map(({ uid }) => uid)
  await db.updateTable('pop_photo').set({ pictures }).where('uid', 'in', uids).execute()
}
