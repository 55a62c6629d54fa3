import { KEEP_AUDIT_DAYS } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import { type BlobStore, removeUnclaimedFiles } from '../platform/files/index.ts'
import { sweepPictures } from '../proof/photos/index.ts'
import { repeat } from '../platform/jobs/repeat.ts'
import { readSettings } from '../catalog/settings/index.ts'

const EVERY_MS = 10 * 60 * 1000

/** Deleting twice does no harm, so every node may sweep. */
const expired = [
  sql`delete from idempotency_key where created_at < now() - interval '1 day'`,
  sql`delete from password_reset where expires_at < now() - interval '1 day'`,
  sql`delete from throttle where last_at < now() - interval '2 days'`,
  sql`delete from session where expires_at < now() - interval '30 days'`,
  sql`delete from audit_log where at < now() - make_interval(days => ${KEEP_AUDIT_DAYS})`,
  // What was missing has come, or will never be looked for again.
  sql`delete from play_after_hole a using play_sequence q
       where q.device_uid = a.device_uid and q.received @> a.sequence - 1`,
]

/** Deletes what has served its time. */
export async function sweep(db: Db, blobs: BlobStore, signal?: AbortSignal): Promise<void> {
  for (const statement of expired) await statement.execute(db)
  const { keepWebLogDays } = await readSettings(db)
  await sql`delete from web_log where at < now() - make_interval(days => ${keepWebLogDays})`.execute(db)
  await removeUnclaimedFiles(db, blobs, signal)
  await sweepPictures(db, blobs, signal)
}

/** Sweeps now and then until stopped. */
export const keepSweeping = (db: Db, blobs: BlobStore, log: (error: unknown) => void) =>
  repeat('sweep', (signal) => sweep(db, blobs, signal), EVERY_MS, log)
