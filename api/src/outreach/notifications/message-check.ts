import {
  mayReceive,
  type ModuleKey,
  type NotificationChannel,
  notificationKinds,
  type NotificationKind,
  type Role,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { loadChoices } from './settings.ts'

interface LinkedRow {
  uid: string
  kind: NotificationKind
  channel: NotificationChannel
  userUid: string
  role: Role
  modules: ModuleKey[]
  isDeleted: boolean
  isOwnProgram: boolean
}

const GONE = 'The account was deleted.'
const CLOSED = 'The reader’s role and modules no longer include it.'
const OFF = 'The reader unsubscribed.'

/** Why a notification must not be sent to its reader any more; undefined if it may be. */
async function refusalOf(db: Db, row: LinkedRow): Promise<string | undefined> {
  if (row.isDeleted) return GONE
  const isKnown = notificationKinds.includes(row.kind)
  if (!isKnown || !mayReceive(row, row.kind) || !row.isOwnProgram) return CLOSED
  const reader = { uid: row.userUid, role: row.role }
  const isOn = await loadChoices(db, [reader])
  return isOn(reader, row.kind, row.channel) ? undefined : OFF
}

/**
 * Checks the rights and the subscription of a message's reader at the moment it is sent, for every notification that it was
 * made of. What remains of a digest goes into the next one. Messages of other modules pass.
 */
export async function checkBeforeSending(
  db: Db,
  { uid, userUid }: { uid: string; userUid: string | null },
): Promise<string | undefined> {
  if (userUid === null) return undefined
  const rows: LinkedRow[] = await db
    .selectFrom('notification_message as l')
    .innerJoin('message as m', 'm.uid', 'l.message_uid')
    .innerJoin('notification as n', 'n.uid', 'l.notification_uid')
    .innerJoin('user_account as u', 'u.uid', 'n.user_uid')
    .select(['n.uid', 'n.kind', 'm.channel', 'u.uid as userUid', 'u.role', 'u.modules'])
    .select([
      sql<boolean>`u.deleted_at is not null`.as('isDeleted'),
      sql<boolean>`(u.role <> 'client' or exists (
        select from client_program p
         where p.uid = n.program_uid and p.client_uid = u.client_uid and p.deleted_at is null))`.as('isOwnProgram'),
    ])
    .$narrowType<Pick<LinkedRow, 'kind' | 'channel' | 'role' | 'modules'>>()
    .where('l.message_uid', '=', uid)
    .execute()
  const checked: { uid: string; refusal: string | undefined }[] = []
  for (const row of rows) checked.push({ uid: row.uid, refusal: await refusalOf(db, row) })
  const refused = checked.find(({ refusal }) => refusal !== undefined)
  if (!refused) return undefined
  const kept = checked.flatMap(({ uid, refusal }) => (refusal === undefined ? [uid] : []))
  if (kept.length > 0)
    await db.updateTable('notification').set({ is_for_digest: true }).where('uid', 'in', kept).execute()
  return refused.refusal
}
