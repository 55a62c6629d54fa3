import { defaultModules, type Role } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { KnownAccount, ProviderIdentity, SignInFacts } from './rules.ts'

interface AccountRow {
  uid: string
  role: string
  deleted_at: unknown
  has_owner: boolean
}

const hasOwner = sql<boolean>`u.password_hash is not null or u.seen_at > 'epoch'`

const toAccount = (row: AccountRow): KnownAccount => ({
  uid: row.uid,
  role: row.role as Role,
  isDeleted: row.deleted_at !== null,
  hasOwner: row.has_owner,
})

/** What is known here about a person whom the provider has identified. The accounts are locked until the sign-in is done. */
export async function loadSignInFacts(db: Db, identity: ProviderIdentity): Promise<Omit<SignInFacts, 'hasClaimMap'>> {
  const linked = await db
    .selectFrom('single_sign_on_identity as i')
    .innerJoin('user_account as u', 'u.uid', 'i.user_uid')
    .select(['u.uid', 'u.role', 'u.deleted_at', 'i.role_from_claim', hasOwner.as('has_owner')])
    .where('i.issuer', '=', identity.issuer)
    .where('i.subject', '=', identity.subject)
    .forNoKeyUpdate('u')
    .executeTakeFirst()
  if (linked) {
    return { linked: { ...toAccount(linked), hasRoleFromClaim: linked.role_from_claim }, sameEmail: undefined }
  }
  const sameEmail = await db
    .selectFrom('user_account as u')
    .select(['u.uid', 'u.role', 'u.deleted_at', hasOwner.as('has_owner')])
    .where('u.email', '=', identity.verifiedEmail ?? '')
    .forNoKeyUpdate('u')
    .executeTakeFirst()
  return { linked: undefined, sameEmail: sameEmail && toAccount(sameEmail) }
}

/** Lets an identity open an account from now on. */
export async function linkIdentity(db: Db, identity: ProviderIdentity, userUid: string): Promise<void> {
  const linked = await db
    .insertInto('single_sign_on_identity')
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      user_uid: userUid,
      email: identity.verifiedEmail ?? '',
    })
    .onConflict((conflict) => conflict.constraint('single_sign_on_subject_once').doNothing())
    .returning('uid')
    .executeTakeFirst()
  // The same person signs in for the first time in two windows at once.
  if (!linked) throw new AppError('singleSignOnFailed')
}

/** Notes that an identity was used, and whether a claim gives its role. */
export async function noteIdentityUse(db: Db, identity: ProviderIdentity): Promise<string> {
  const used = await db
    .updateTable('single_sign_on_identity')
    .set({
      used_at: sql`now()`,
      ...(identity.claimedRole !== undefined && { role_from_claim: true }),
    })
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .returning('uid')
    .executeTakeFirst()
  // It was unlinked while the person was asked for a second factor.
  if (!used) throw new AppError('singleSignOnFailed')
  return used.uid
}

/** Adds the account of a person who gets a role by a claim. */
export async function addClaimedAccount(
  db: Db,
  identity: ProviderIdentity,
  role: Role,
  address: string,
): Promise<string> {
  const added = await db
    .insertInto('user_account')
    .values({
      email: identity.verifiedEmail ?? '',
      name: identity.name,
      role,
      modules: [...defaultModules[role]],
      changed_from: address,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('uid')
    .executeTakeFirst()
  if (!added) throw new AppError('singleSignOnFailed')
  return added.uid
}

/** Gives an account another role with its default modules, which ends the account's sessions. */
export const changeRole = (db: Db, userUid: string, role: Role, address: string) =>
  db
    .updateTable('user_account')
    .set({ role, modules: [...defaultModules[role]], changed_by: null, changed_from: address })
    .where('uid', '=', userUid)
    .execute()
