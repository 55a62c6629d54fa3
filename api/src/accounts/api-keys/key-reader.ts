import type { ApiKeyAccess, ModuleKey } from '@roadshow/contract'
import { CompiledQuery, sql } from 'kysely'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { isWholeApiKey } from '../../platform/http/api-key-token.ts'
import type { SessionUser } from '../../platform/http/session.ts'
import { tokenReader } from '../../platform/http/token-reader.ts'

interface Holder {
  uid: string
  modules: ModuleKey[]
  access: ApiKeyAccess
  client_uid: string | null
  maker_uid: string
  maker_name: string
  maker_email: string
}

interface KeyRow extends Holder {
  token_hash: Buffer
  resting: boolean
}

const READ = prepared(`
  select k.token_hash, k.uid, k.modules, k.access, k.client_uid, u.uid as maker_uid, u.name as maker_name,
         u.email as maker_email, coalesce(k.last_used_at < now() - interval '1 minute', true) as resting
    from api_key k join user_account u on u.uid = k.created_by
   where k.token_hash = any($1) and k.ended_at is null and k.expires_at > now() and u.deleted_at is null`)

const TOUCH = prepared('update api_key set last_used_at = now(), last_address = $2 where uid = $1')

/** Reads the actor that a live API key stands for, and notes at most once a minute that it was used. */
export function keyReader(db: Db): (token: string, address: string) => Promise<SessionUser | undefined> {
  const read = tokenReader<KeyRow>(db, READ)
  const touching = new Set<string>()

  function touch(uid: string, address: string): void {
    if (touching.has(uid)) return
    touching.add(uid)
    const noted = db.executeQuery(CompiledQuery.raw(TOUCH, [uid, address]))
    // A missed touch is made up for by the next call.
    void noted.catch(() => {}).finally(() => touching.delete(uid))
  }

  return async (token, address) => {
    const row = isWholeApiKey(token) ? await read(token) : undefined
    if (row?.resting) touch(row.uid, address)
    return row && actorOf(row)
  }
}

/** A key for one client reaches what a user of that client reaches, any other what an admin with its modules does. */
const actorOf = (row: Holder): SessionUser => ({
  uid: row.maker_uid,
  name: row.maker_name,
  email: row.maker_email,
  role: row.client_uid === null ? 'admin' : 'client',
  modules: row.modules,
  clientUid: row.client_uid,
  sessionUid: '',
  key: { uid: row.uid, canWrite: row.access === 'write' },
})

/** An open key without its secret: its name, and the actor that its calls have. */
export interface OpenKey {
  name: string
  clientName: string | null
  user: SessionUser
}

/** The open key with a module that was used last, or else the newest one. */
export async function newestOpenKey(db: Db, module: ModuleKey): Promise<OpenKey | undefined> {
  const { rows } = await sql<Holder & { name: string; client_name: string | null }>`
    select k.uid, k.name, k.modules, k.access, k.client_uid, c.name as client_name,
           u.uid as maker_uid, u.name as maker_name, u.email as maker_email
      from api_key k join user_account u on u.uid = k.created_by left join client c on c.uid = k.client_uid
     where k.ended_at is null and k.expires_at > now() and u.deleted_at is null and ${module} = any(k.modules)
     order by k.last_used_at desc nulls last, k.created_at desc, k.uid
     limit 1`.execute(db)
  const [row] = rows
  return row && { name: row.name, clientName: row.client_name, user: actorOf(row) }
}
