import type { ModuleKey, NotificationChannel, NotificationKind, Role } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allowedKinds, mayReadProgram } from './rights.ts'
import { loadChoices } from './settings.ts'

/** The notifications that a message was made of, each with its reader as of now. */
const notificationsIn = (db: Db, messageUid: string) =>
  db
    .selectFrom('notification_message as l')
    .innerJoin('message as m', 'm.uid', 'l.message_uid')
    .innerJoin('notification as n', 'n.uid', 'l.notification_uid')
    .innerJoin('user_account as u', 'u.uid', 'n.user_uid')
    .select(['n.uid as notificationUid', 'n.kind', 'm.channel', 'u.uid', 'u.role', 'u.modules'])
    .select(['u.deleted_at as deletedAt', mayReadProgram(sql`n.program_uid`).as('mayReadProgram')])
    .$narrowType<{ kind: NotificationKind; channel: NotificationChannel; role: Role; modules: ModuleKey[] }>()
    .where('l.message_uid', '=', messageUid)
    .execute()

/**
 * Checks the rights and the subscription of a message's reader at the moment it is sent, for every notification that it was
 * made of. What remains of a digest goes into the next one. Messages of other modules pass.
 */
export async function checkBeforeSending(
  db: Db,
  { uid, userUid }: { uid: string; userUid: string | null },
): Promise<string | undefined> {
  if (userUid === null) return undefined
  const rows = await notificationsIn(db, uid)
  const isOn = await loadChoices(db, rows)
  const refusals = rows.map((row) => {
    if (row.deletedAt !== null) return 'The account was deleted.'
    const isAllowed = allowedKinds(row).includes(row.kind) && row.mayReadProgram
    if (!isAllowed) return 'The reader’s role and modules no longer include it.'
    return isOn(row, row.kind, row.channel) ? undefined : 'The reader unsubscribed.'
  })
  const refusal = refusals.find((each) => each !== undefined)
  if (refusal === undefined) return undefined
  const kept = rows.filter((_, at) => refusals[at] === undefined).map(({ notificationUid }) => notificationUid)
  if (kept.length > 0)
    await db.updateTable('notification').set({ is_for_digest: true }).where('uid', 'in', kept).execute()
  return refusal
}
