import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** What a sign-in writes, also by triggers. */
const WRITTEN = [
  'throttle',
  'pending_sign_in',
  'passkey_challenge',
  'single_sign_on_flow',
  'single_sign_on_session',
  'known_network',
  'session',
  'user_account',
  'list_change',
  'code_app',
  'passkey',
  'recovery_code',
  'audit_log',
] as const

// Some 400 of them find room on a full disk: several of them fill a page of an index sooner than that of another one.
const SIGN_INS = 1000

/** Vacuums what it may: other roles than the owner of the tables leave it to autovacuum. */
async function vacuum(db: Db): Promise<void> {
  // Pages of an index that one vacuum has emptied are free for the next one, once a later transaction has an id.
  for (const _ of ['empties', 'frees']) {
    await sql`select pg_current_xact_id()`.execute(db)
    for (const table of WRITTEN) await sql`vacuum (skip_locked, truncate off) ${sql.table(table)}`.execute(db)
  }
}

/**
 * Keeps free room inside the tables and indexes of sign-ins, so that people can sign in to read while the disk of the
 * database is full. Room that is there is used again, so the tables grow only as far as it is missing.
 */
export async function keepRoomForSignIns(db: Db): Promise<void> {
  try {
    await sql`select keep_room_for_sign_ins(${SIGN_INS}::int)`.execute(db)
  } finally {
    await vacuum(db)
  }
}

const OFTEN_ENOUGH_MS = 20 * 60 * 60_000

/** Once a day; the job looks each hour, because nodes may be restarted every day. */
export const keepSignInRoom = defineJob('keep-sign-in-room', async ({ db, since, now }) => {
  if (Date.parse(since) > now - OFTEN_ENOUGH_MS) return { doneUntil: since }
  return keepRoomForSignIns(db)
})
