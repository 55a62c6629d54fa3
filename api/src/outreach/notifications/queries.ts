import type { Notification, notifications, Page, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { readableBy } from './rights.ts'

/** A user's own notifications, newest first. */
export async function listNotifications(
  db: Db,
  actor: Actor,
  { page, pageSize, unread, kind }: QueryOf<typeof notifications.list>,
): Promise<Page<Notification>> {
  const isUnread = unread ? sql`and n.read_at is null` : sql``
  const isOfKind = kind ? sql`and n.kind = any(${kind}::text[])` : sql``
  const isWanted = sql`${readableBy(actor)} ${isUnread} ${isOfKind}`
  const { rows } = await sql<Notification>`
    select n.uid, n.kind, n.subject, n.text, n.path, n.at, n.read_at as "readAt"
      from notification n where ${isWanted}
     order by n.at desc, n.uid desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from notification n where ${isWanted}`.execute(db)
  return { data: rows, page, pageSize, total: counted.rows[0]?.total ?? 0 }
}

export async function countUnread(db: Db, actor: Actor): Promise<{ unread: number }> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from notification n where ${readableBy(actor)} and n.read_at is null`.execute(db)
  return { unread: rows[0]?.unread ?? 0 }
}

export async function markRead(db: Db, actor: Actor, uids: readonly string[]): Promise<{ unread: number }> {
  await sql`update notification set read_at = now()
             where user_uid = ${actor.uid} and uid = any(${[...uids]}::uuid[]) and read_at is null`.execute(db)
  return countUnread(db, actor)
}

export async function markAllRead(db: Db, actor: Actor, until: string): Promise<{ unread: number }> {
  // Times that people read have milliseconds, stored ones microseconds.
  await sql`update notification set read_at = now()
             where user_uid = ${actor.uid} and read_at is null
               and date_trunc('milliseconds', at) <= ${until}::timestamptz`.execute(db)
  return countUnread(db, actor)
}
