import type { ModuleKey, Role } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import type { LiveSession } from '../../platform/http/session.ts'
import { tokenReader } from '../../platform/http/token-reader.ts'

interface SessionRow {
  token_hash: Buffer
  session_uid: string
  user_uid: string
  name: string
  email: string
  role: Role
  modules: ModuleKey[]
  client_uid: string | null
  is_limited: boolean
  resting: boolean
}

const READ = prepared(`
  select s.token_hash, s.uid as session_uid, u.uid as user_uid, u.name, u.email, u.role, u.modules, u.client_uid,
         s.is_limited, s.seen_at < now() - interval '1 minute' as resting
    from session s join user_account u on u.uid = s.user_uid
   where s.token_hash = any($1) and s.ended_at is null and s.expires_at > now() and u.deleted_at is null`)

// Twelve hours without a call end a session, seven days end it in any case.
const TOUCH = prepared(`
  update session
     set seen_at = now(), expires_at = least(now() + interval '12 hours', created_at + interval '7 days')
   where uid = any($1::uuid[]) and ended_at is null`)

type ReadSession = (token: string) => Promise<LiveSession | undefined>

/**
 * Reads a live session with its user from the database. `peek` does so without prolonging the session: an open page alone is
 * no activity.
 */
export function sessionReader(db: Db): { read: ReadSession; peek: ReadSession } {
  function touch(rows: SessionRow[]): void {
    const resting = rows.filter((row) => row.resting).map((row) => row.session_uid)
    // A missed touch is made up for by the next call.
    if (resting.length > 0) db.executeQuery(CompiledQuery.raw(TOUCH, [resting])).catch(() => {})
  }

  const readerOf = (onRead?: (rows: SessionRow[]) => void): ReadSession => {
    const read = tokenReader<SessionRow>(db, READ, onRead)
    return async (token) => {
      const row = await read(token)
      return row && { user: userOf(row), isLimited: row.is_limited }
    }
  }
  return { read: readerOf(touch), peek: readerOf() }
}

const userOf = (row: SessionRow): LiveSession['user'] => ({
  uid: row.user_uid,
  name: row.name,
  email: row.email,
  role: row.role,
  modules: row.modules,
  clientUid: row.client_uid,
  sessionUid: row.session_uid,
})
