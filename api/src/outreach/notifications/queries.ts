import type { Notification, NotificationKind, notifications, Page, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { needsReader } from './needs.ts'
import { readableBy } from './rights.ts'

const readable = (db: Db, actor: Actor) => db.selectFrom('notification as n').where(readableBy(actor))

/** A user's own notifications, newest first. */
export async function listNotifications(
  db: Db,
  actor: Actor,
  { page, pageSize, unread, kind }: QueryOf<typeof notifications.list>,
): Promise<Page<Notification>> {
  const wanted = readable(db, actor)
    .$if(Boolean(unread), (query) => query.where(needsReader(actor)))
    .$if(kind !== undefined, (query) => query.where('n.kind', '=', sql<string>`any(${kind})`))
  const data = await wanted
    .select(['n.uid', 'n.kind', 'n.subject', 'n.text', 'n.path', 'n.at', 'n.read_at as readAt'])
    .select(needsReader(actor).as('needsYou'))
    .$narrowType<{ kind: NotificationKind }>()
    .orderBy('n.at', 'desc')
    .orderBy('n.uid', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await wanted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { data, page, pageSize, total }
}

/** How many need the user. */
export const countUnread = (db: Db, actor: Actor): Promise<{ unread: number }> =>
  readable(db, actor)
    .where(needsReader(actor))
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()

const unreadOf = (db: Db, { uid }: Actor) =>
  db
    .updateTable('notification')
    .set({ read_at: sql`now()` })
    .where('user_uid', '=', uid)
    .where('read_at', 'is', null)

export async function markRead(db: Db, actor: Actor, uids: readonly string[]): Promise<{ unread: number }> {
  await unreadOf(db, actor)
    .where('uid', '=', sql<string>`any(${uids})`)
    .execute()
  return countUnread(db, actor)
}

export async function markAllRead(db: Db, actor: Actor, until: string): Promise<{ unread: number }> {
  // Times that people read have milliseconds, stored ones microseconds.
  await unreadOf(db, actor)
    .where(sql<string>`date_trunc('milliseconds', at)`, '<=', until)
    .execute()
  return countUnread(db, actor)
}
