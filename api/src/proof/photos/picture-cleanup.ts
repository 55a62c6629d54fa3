import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import { removePictures } from './pictures.ts'

// An operator can restore a deleted photo in the database this long.
const KEPT_DAYS = 30
const AT_ONCE = 200

interface DeletedPhoto {
  uid: string
  key: string
  isPublished: boolean
}

/**
 * Removes the pictures of some photos that were deleted long ago, the oldest first, and returns how many it handled.
 * Pictures of published versions stay for good. Removing is idempotent, so nothing is locked.
 */
export async function sweepPictures(db: Db, blobs: BlobStore, signal?: AbortSignal): Promise<number> {
  const { rows: due } = await sql<DeletedPhoto>`
    select t.uid, t.key, exists (select from pop_version_picture g where g.key = t.key) as "isPublished"
      from pop_photo t
     where t.deleted_at < now() - make_interval(days => ${KEPT_DAYS}) and t.pictures = 'kept'
     order by t.deleted_at limit ${AT_ONCE}`.execute(db)
  const done: DeletedPhoto[] = []
  for (const photo of due) {
    if (signal?.aborted) break
    if (!photo.isPublished) await removePictures(blobs, photo.key)
    done.push(photo)
  }
  await mark(db, done, 'published')
  await mark(db, done, 'removed')
  return done.length
}

async function mark(db: Db, done: readonly DeletedPhoto[], pictures: 'published' | 'removed'): Promise<void> {
  const photos = done.filter(({ isPublished }) => isPublished === (pictures === 'published'))
  if (photos.length === 0) return
  const uids = photos.map(({ uid }) => uid)
  await db.updateTable('pop_photo').set({ pictures }).where('uid', 'in', uids).execute()
}

export const sweepPicturesJob = defineJob('sweep-pictures', ({ db, blobs, signal }) => sweepPictures(db, blobs, signal))
