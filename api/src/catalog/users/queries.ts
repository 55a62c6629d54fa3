import { defaultModules, type PayRate, type QueryOf, type User, type users } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'
import { searchText } from '../../platform/db/records/search-text.ts'
import { uidAndName } from '../../platform/db/records/fragments.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'

/** Outsiders search names only. */
export const userText = searchText((t) => sql`${t}.name`)

/** Nothing of the account was used yet. */
const neverCame = sql<boolean>`t.password_hash is null and t.seen_at = 'epoch'`

export const userRecords = records<'user_account', User, QueryOf<typeof users.list>>({
  table: 'user_account',
  noun: 'user',
  joins: sql`left join client c on c.uid = t.client_uid left join stored_file f on f.uid = t.photo_file_uid`,
  columns: {
    userUid: sql`t.uid`,
    name: sql`t.name`,
    email: sql`t.email`,
    phone: sql`t.phone`,
    photo: fileColumn('f'),
    role: sql`t.role`,
    modules: sql`t.modules`,
    client: uidAndName('c'),
    payRates: sql`coalesce((select json_agg(json_build_object('validFrom', r.valid_from, 'payHalfDay', r.half_day_cents,
      'payEightHours', r.eight_hours_cents, 'payTwelveHours', r.twelve_hours_cents) order by r.valid_from desc)
      from pay_rate r where r.user_uid = t.uid), '[]')`,
    payrollId: sql`t.payroll_id`,
    language: sql`t.language`,
    isInvited: sql`${neverCame} and t.deleted_at is null`,
    lastSeen: sql`nullif(t.seen_at, 'epoch')`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    deletedAt: sql`t.deleted_at`,
    version: sql`t.version`,
  },
  sorts: {
    name: sql`t.name`,
    email: sql`t.email`,
    role: sql`t.role`,
    lastSeen: sql`t.seen_at`,
    updatedAt: sql`t.updated_at`,
  },
  filters: {
    role: (role) => sql`t.role = any(${role})`,
    module: (module) => sql`t.modules && ${module}`,
    client: (client) => sql`t.client_uid = any(${client})`,
    deleted: (deleted) => sql`'shown' = any(${deleted})`,
  },
  searchText: userText,
  own: noOwnRows,
  withDeleted: ({ deleted }) => deleted !== undefined,
  finish: (user) => ({ ...user, photo: withSignedUrls(user.photo) }),
  taken: {
    user_email_once: ['emailTaken', 'email'],
    user_payroll_id_once: ['payrollIdTaken', 'payrollId'],
    one_admin_stays: ['lastAdmin'],
  },
})

/** The user with an email address, deleted or not. */
export const userByEmail = (db: Db, email: string) =>
  db.selectFrom('user_account').select(['uid', 'name', 'deleted_at']).where('email', '=', email).executeTakeFirst()

export interface InvitedUser {
  uid: string
  name: string
  email: string
  deletedAt: string | null
  isInvited: boolean
}

/** Users with what decides whether they are invited, locked in one order until the transaction ends. */
export const lockForInvitation = (db: Db, uids: readonly string[]): Promise<InvitedUser[]> =>
  db
    .selectFrom('user_account as t')
    .select(['t.uid', 't.name', 't.email', 't.deleted_at as deletedAt'])
    .select(sql<boolean>`${neverCame} and t.deleted_at is null`.as('isInvited'))
    .where('t.uid', '=', anyOf(uids))
    .orderBy('t.uid')
    .forNoKeyUpdate()
    .execute()

/** Deleted users with these email addresses, and whether they never came: an import may bring those back. */
export const deletedByEmail = (db: Db, emails: readonly string[]) =>
  db
    .selectFrom('user_account as t')
    .select(['t.uid', 't.email', neverCame.as('neverCame')])
    .where('t.deleted_at', 'is not', null)
    .where(sql<boolean>`t.email = any(${[...emails]}::text[]::citext[])`)
    .execute()

/** Brings deleted users back; answers their versions. Needs a transaction. */
export const restoreUsers = (db: Db, { actor }: Scope, uids: readonly string[]) =>
  db
    .updateTable('user_account')
    .set({ deleted_at: null, changed_by: actor.uid, changed_from: actor.address })
    .where('uid', '=', anyOf(uids))
    .where('deleted_at', 'is not', null)
    .returning(['uid', 'version'])
    .execute()

/** Whether a user has not set a password yet. */
export async function isInvited(db: Db, userUid: string): Promise<boolean> {
  const user = await db
    .selectFrom('user_account')
    .select('uid')
    .where('uid', '=', userUid)
    .where('password_hash', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user !== undefined
}

/** Replaces a user's pay rates. Unchanged rates leave no entry in the history. */
export const setPayRates = (db: Db, userUid: string, rates: PayRate[]): Promise<void> =>
  setPayRatesOf(db, [{ uid: userUid, payRates: rates }])

/** Replaces the pay rates of users in two statements. */
export async function setPayRatesOf(db: Db, users: readonly { uid: string; payRates: PayRate[] }[]): Promise<void> {
  const rows = users.flatMap(({ uid, payRates }) => payRates.map((rate) => ({ uid, rate })))
  const kept = rowsAsTable('n', rows, { uid: ['uuid', ({ uid }) => uid], day: ['date', ({ rate }) => rate.validFrom] })
  await sql`
    delete from pay_rate r where r.user_uid = any(${users.map(({ uid }) => uid)}::uuid[])
       and not exists (select 1 from ${kept} where n.uid = r.user_uid and n.day = r.valid_from)`.execute(db)
  if (rows.length === 0) return
  const given = rowsAsTable('n', rows, {
    uid: ['uuid', ({ uid }) => uid],
    valid_from: ['date', ({ rate }) => rate.validFrom],
    half_day: ['int4', ({ rate }) => rate.payHalfDay],
    eight_hours: ['int4', ({ rate }) => rate.payEightHours],
    twelve_hours: ['int4', ({ rate }) => rate.payTwelveHours],
  })
  await sql`
    insert into pay_rate (user_uid, valid_from, half_day_cents, eight_hours_cents, twelve_hours_cents)
    select uid, valid_from, half_day, eight_hours, twelve_hours from ${given}
        on conflict (user_uid, valid_from) do update set half_day_cents = excluded.half_day_cents,
           eight_hours_cents = excluded.eight_hours_cents, twelve_hours_cents = excluded.twelve_hours_cents`.execute(db)
}

/** Adds an admin without a password. Answers undefined when the email address is taken. */
export async function addFirstAdmin(
  db: Db,
  user: { email: string; name: string; password_hash?: string },
): Promise<string | undefined> {
  const added = await db
    .insertInto('user_account')
    .values({ ...user, role: 'admin', modules: [...defaultModules.admin] })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('uid')
    .executeTakeFirst()
  return added?.uid
}
