import { setImmediate } from 'node:timers/promises'
import type { ModuleKey, Role } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { hashToken, type SessionUser } from '../../platform/http/session.ts'

interface SessionRow {
  token_hash: Buffer
  session_uid: string
  user_uid: string
  name: string
  email: string
  role: Role
  modules: ModuleKey[]
  client_uid: string | null
  resting: boolean
}

const READ = prepared(`
  select s.token_hash, s.uid as session_uid, u.uid as user_uid, u.name, u.email, u.role, u.modules, u.client_uid,
         s.seen_at < now() - interval '1 minute' as resting
    from session s join user_account u on u.uid = s.user_uid
   where s.token_hash = any($1) and s.ended_at is null and s.expires_at > now() and u.deleted_at is null`)

// Twelve hours without a call end a session, seven days end it in any case.
const TOUCH = prepared(`
  update session
     set seen_at = now(), expires_at = least(now() + interval '12 hours', created_at + interval '7 days')
   where uid = any($1::uuid[]) and ended_at is null`)

type Waiting = { resolve: (user: SessionUser | undefined) => void; reject: (error: unknown) => void }

/**
 * Reads sessions from the database, one statement for all calls that arrive while the previous one is under way.
 * Nothing is remembered between statements: a session ended anywhere is ended for the next call.
 */
export function sessionReader(db: Db): (token: string) => Promise<SessionUser | undefined> {
  let waiting = new Map<string, Waiting[]>()
  let reading = false

  async function readAll(): Promise<void> {
    reading = true
    while (waiting.size > 0) {
      // Whatever else has just arrived is read along.
      await setImmediate()
      const batch = waiting
      waiting = new Map()
      try {
        const asked = [...batch].map(([token, callers]) => ({ hash: hashToken(token), callers }))
        const hashes = asked.map(({ hash }) => hash)
        const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(READ, [hashes]))
        const found = new Map(rows.map((row) => [keyOf(row.token_hash), userOf(row)]))
        for (const { hash, callers } of asked) for (const caller of callers) caller.resolve(found.get(keyOf(hash)))
        touch(rows)
      } catch (error) {
        for (const callers of batch.values()) for (const caller of callers) caller.reject(error)
      }
    }
    reading = false
  }

  function touch(rows: SessionRow[]): void {
    const resting = rows.filter((row) => row.resting).map((row) => row.session_uid)
    // A missed touch is made up for by the next call.
    if (resting.length > 0) db.executeQuery(CompiledQuery.raw(TOUCH, [resting])).catch(() => {})
  }

  return (token) =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(token) ?? []
      callers.push({ resolve, reject })
      waiting.set(token, callers)
      if (!reading) void readAll()
    })
}

const keyOf = (hash: Buffer) => hash.toString('base64')

const userOf = (row: SessionRow): SessionUser => ({
  uid: row.user_uid,
  name: row.name,
  email: row.email,
  role: row.role,
  modules: row.modules,
  clientUid: row.client_uid,
  sessionUid: row.session_uid,
})
