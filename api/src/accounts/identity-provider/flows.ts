import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { hashToken, newToken } from '../../platform/http/session.ts'
import type { ProviderIdentity } from './rules.ts'
import { seal, unseal } from './sealing.ts'

/** How long a sign-in may stay at the provider. */
const FLOW_MINUTES = 10
/** How long an account waits for its owner's consent. */
export const CONFIRMATION_MINUTES = 30
/** How long it waits for the mail server where a mail confirms it. */
export const CONFIRMATION_WAIT_MINUTES = 2 * 24 * 60

const inMinutes = (minutes: number) => sql<string>`now() + ${minutes} * interval '1 minute'`

export const startFlow = (db: Db, secret: string, nextPath: string) =>
  db
    .insertInto('single_sign_on_flow')
    .values({ secret_hash: hashToken(secret), next_path: nextPath, expires_at: inMinutes(FLOW_MINUTES) })
    .execute()

/** Ends a flow and answers where it leads; undefined if it has expired or was ended before. */
export async function takeFlow(db: Db, secret: string): Promise<string | undefined> {
  const flow = await db
    .deleteFrom('single_sign_on_flow')
    .where('secret_hash', '=', hashToken(secret))
    .where('expires_at', '>', sql<string>`now()`)
    .returning('next_path')
    .executeTakeFirst()
  return flow?.next_path
}

/** Whether a confirmation is open: until its own time, and no longer than a while after its mail has left. */
const isOpen = sql<boolean>`expires_at > now() and not exists (
  select from message m
   where m.uid = message_uid and m.state = 'sent'
     and m.done_at < now() - ${CONFIRMATION_MINUTES} * interval '1 minute')`

interface WaitingIdentity {
  identity: ProviderIdentity
  userUid: string
  nextPath: string
}

/** Keeps an identity until the owner of the account with its address has consented. */
export const awaitConfirmation = (db: Db, secret: string, { identity, userUid, nextPath }: WaitingIdentity) =>
  db
    .insertInto('single_sign_on_confirmation')
    .values({
      secret_hash: hashToken(secret),
      user_uid: userUid,
      email: identity.verifiedEmail ?? '',
      next_path: nextPath,
      sealed_identity: seal(JSON.stringify(identity), secret),
      expires_at: inMinutes(CONFIRMATION_MINUTES),
    })
    .execute()

/** The account that a browser has to confirm. It is gone once the account has another address. */
export const confirmationOf = (db: Db, secret: string) =>
  db
    .selectFrom('single_sign_on_confirmation as c')
    .innerJoin('user_account as u', (join) => join.onRef('u.uid', '=', 'c.user_uid').onRef('u.email', '=', 'c.email'))
    .select(['u.uid', 'u.name', 'u.email', 'u.password_hash'])
    .where('c.secret_hash', '=', hashToken(secret))
    .where(isOpen)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()

/** Binds a confirmation to the mail that carries its link, in the same transaction: its time begins when the mail is sent. */
export const bindConfirmationToMail = (db: Db, secret: string, messageUid: string | undefined) =>
  db
    .updateTable('single_sign_on_confirmation')
    .set({ message_uid: messageUid ?? null, expires_at: inMinutes(CONFIRMATION_WAIT_MINUTES) })
    .where('secret_hash', '=', hashToken(secret))
    .execute()

/** Why the mail of a confirmation must not be sent any more; undefined if it may be. */
export async function checkConfirmationMail(db: Db, messageUid: string): Promise<string | undefined> {
  const waiting = await db
    .selectFrom('single_sign_on_confirmation')
    .select('user_uid')
    .where('message_uid', '=', messageUid)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return waiting ? undefined : 'The sign-in that it confirms has ended, or a newer email replaced this one.'
}

/** Creates the token of the mailed link; it replaces an older one. */
export async function createMailToken(db: Db, secret: string): Promise<string> {
  const token = newToken()
  await db
    .updateTable('single_sign_on_confirmation')
    .set({ mail_token_hash: hashToken(token) })
    .where('secret_hash', '=', hashToken(secret))
    .execute()
  return token
}

/** Ends a confirmation and answers what it was about; undefined if it is over, or the mailed token is another one. */
export async function takeConfirmation(
  db: Db,
  secret: string,
  mailToken?: string,
): Promise<WaitingIdentity | undefined> {
  const taken = await db
    .deleteFrom('single_sign_on_confirmation')
    .where('secret_hash', '=', hashToken(secret))
    .where(isOpen)
    .$if(mailToken !== undefined, (query) => query.where('mail_token_hash', '=', hashToken(mailToken ?? '')))
    .returning(['user_uid', 'next_path', 'sealed_identity'])
    .executeTakeFirst()
  const identity = taken && unseal(taken.sealed_identity, secret)
  if (!taken || identity === undefined) return undefined
  return {
    identity: JSON.parse(identity) as ProviderIdentity,
    userUid: taken.user_uid,
    nextPath: taken.next_path,
  }
}
