import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { SweepContext } from '../../platform/lifetimes/lifetime.ts'
import { removePictures } from './pictures.ts'

// An operator can restore a deleted photo in the database this long.
const KEPT_MS = 30 * DAY_MS
const AT_ONCE = 200

interface DeletedPhoto {
  uid: string
  key: string
  isPublished: boolean
}

/**
 * Removes the pictures of some photos that were deleted long ago, the oldest first; answers whether more may be left.
 * Pictures of published versions stay for good. Removing is idempotent, so nothing is locked.
 */
export async function removeDeletedPictures({
  db,
  blobs,
  now,
  signal,
}: Pick<SweepContext, 'db' | 'blobs' | 'now' | 'signal'>): Promise<boolean> {
  const { rows: due } = await sql<DeletedPhoto>`
    select t.uid, t.key, exists (select from pop_version_picture g where g.key = t.key) as "isPublished"
      from pop_photo t
     where t.deleted_at < ${new Date(now - KEPT_MS)} and t.pictures = 'kept'
     order by t.deleted_at limit ${AT_ONCE}`.execute(db)
  const done: DeletedPhoto[] = []
  for (const photo of due) {
    if (signal.aborted) break
    if (!photo.isPublished) await removePictures(blobs, photo.key)
    done.push(photo)
  }
  await mark(db, done, 'published')
  await mark(db, done, 'removed')
  return done.length === AT_ONCE
}

async function mark(db: Db, done: readonly DeletedPhoto[], pictures: 'published' | 'removed'): Promise<void> {
  const photos = done.filter(({ isPublished }) => isPublished === (pictures === 'published'))
  if (photos.length === 0) return
  const uids = photos.map(({ uid }) => uid)
  await db.updateTable('pop_photo').set({ pictures }).where('uid', 'in', uids).execute()
}
