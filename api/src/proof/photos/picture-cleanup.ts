import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { SweepContext } from '../../platform/lifetimes/lifetime.ts'
import { removePictures } from './pictures.ts'

// An operator can restore a deleted photo in the database this long.
const KEPT_MS = 30 * DAY_MS
const AT_ONCE = 200

/**
 * Removes the pictures of some photos that were deleted long ago, the oldest first; answers whether more may be left.
 * Pictures of published versions stay for good. Removing is idempotent, so nothing is locked.
 */
export async function removeDeletedPictures(context: Pick<SweepContext, 'db' | 'blobs' | 'now' | 'signal'>) {
  const { db, blobs, now, signal } = context
  const { rows: due } = await sql<{ uid: string; key: string; isPublished: boolean }>`
    select t.uid, t.key, exists (select from pop_version_picture g where g.key = t.key) as "isPublished"
      from pop_photo t
     where t.deleted_at < ${new Date(now - KEPT_MS)} and t.pictures = 'kept'
     order by t.deleted_at limit ${AT_ONCE}`.execute(db)
  for (const { uid, key, isPublished } of due) {
    if (signal.aborted) return false
    if (!isPublished) await removePictures(blobs, key)
    const pictures = isPublished ? 'published' : 'removed'
    await db.updateTable('pop_photo').set({ pictures }).where('uid', '=', uid).execute()
  }
  return due.length === AT_ONCE
}
