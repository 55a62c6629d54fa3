import {
  mayReceive,
  type ModuleKey,
  type NotificationKind,
  notificationKinds,
  type Role,
  type UserPermissions,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { languageOfUser } from '../../accounts/sign-in/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

/** A user with what decides which notifications they get, and how they read them. */
export type Reader = Awaited<ReturnType<typeof loadReaders>>[number]

/** The users `u` for whom a condition holds, without deleted ones. */
export const loadReaders = (db: Db, condition: RawBuilder<boolean>) =>
  db
    .selectFrom('user_account as u')
    .select(['u.uid', 'u.email', 'u.name', 'u.role', 'u.modules', 'u.client_uid as clientUid'])
    .select(languageOfUser.as('language'))
    .$narrowType<{ role: Role; modules: ModuleKey[] }>()
    .where('u.deleted_at', 'is', null)
    .where(condition)
    .orderBy('u.uid')
    .execute()

/** The kinds that a user's role and modules allow at present. */
export const allowedKinds = (user: UserPermissions): NotificationKind[] =>
  notificationKinds.filter((kind) => mayReceive(user, kind))

/** Whether a user may read about a program, by default the user in row `u`: a client's users about the client's own only. */
export function mayReadProgram(program: SqlFragment, user?: Pick<Reader, 'role' | 'clientUid'>): RawBuilder<boolean> {
  const role = user ? sql`${user.role}::text` : sql`u.role`
  const client = user ? sql`${user.clientUid}::uuid` : sql`u.client_uid`
  return sql`(${role} <> 'client' or exists (
    select from client_program p where p.uid = ${program} and p.client_uid = ${client} and p.deleted_at is null))`
}

/** The notifications `n` that a user may read at present: those of allowed kinds and programs. */
export const readableBy = (user: UserPermissions & Pick<Reader, 'uid' | 'clientUid'>): RawBuilder<boolean> => sql`(
  n.user_uid = ${user.uid} and n.kind = any(${allowedKinds(user)}::text[]) and ${mayReadProgram(sql`n.program_uid`, user)})`
