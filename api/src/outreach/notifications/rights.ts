import { mayReceive, type NotificationKind, notificationKinds, type UserPermissions } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'

/** The kinds that a user's role and modules allow at present. */
const allowedKinds = (user: UserPermissions): NotificationKind[] =>
  notificationKinds.filter((kind) => mayReceive(user, kind))

interface Reader extends UserPermissions {
  uid: string
  clientUid: string | null
}

/**
 * The notifications `n` that a user may read at present: those of allowed kinds; for a client's user only of the client's
 * own programs.
 */
export const readableBy = (user: Reader): RawBuilder<boolean> => sql`(
  n.user_uid = ${user.uid} and n.kind = any(${allowedKinds(user)}::text[])
  and ${
    user.role === 'client'
      ? sql`exists (select from client_program p where p.uid = n.program_uid and p.client_uid = ${user.clientUid}::uuid
                       and p.deleted_at is null)`
      : sql`true`
  })`
