import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { hashToken } from '../../platform/http/session.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { EndedAtProvider } from './logout-token.ts'
import { seal, unseal } from './sealing.ts'

interface ProviderSession {
  token: string
  identityUid: string
  sid: string | null
  idToken: string
}

/** Keeps what a session needs in order to end together with the provider's. */
export const keepProviderSession = (db: Db, { token, identityUid, sid, idToken }: ProviderSession) =>
  db
    .insertInto('single_sign_on_session')
    .columns(['session_uid', 'identity_uid', 'sid', 'sealed_id_token'])
    .expression((eb) =>
      eb
        .selectFrom('session')
        .select([
          'uid',
          sql<string>`${identityUid}::uuid`.as('identity_uid'),
          sql<string | null>`${sid}::text`.as('sid'),
          sql<Buffer>`${seal(idToken, token)}::bytea`.as('sealed_id_token'),
        ])
        .where('token_hash', '=', hashToken(token)),
    )
    .execute()

/** The ID token with which a session began; undefined if it began in another way. */
export async function idTokenOf(db: Db, sessionUid: string, token: string): Promise<string | undefined> {
  const kept = await db
    .selectFrom('single_sign_on_session')
    .select('sealed_id_token')
    .where('session_uid', '=', sessionUid)
    .executeTakeFirst()
  return kept && unseal(kept.sealed_id_token, token)
}

/** The open sessions that a provider has ended, once for each logout token. */
export async function sessionsEndedBy(db: Db, ended: EndedAtProvider): Promise<string[]> {
  const first = await db
    .insertInto('single_sign_on_logout')
    .values({
      token_id_hash: hashToken(`${ended.issuer} ${ended.tokenId}`),
      expires_at: sql<string>`now() + interval '1 hour'`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  if (!first) throw new AppError('logoutTokenRefused')
  const rows = await db
    .selectFrom('single_sign_on_session as o')
    .innerJoin('single_sign_on_identity as i', 'i.uid', 'o.identity_uid')
    .select('o.session_uid')
    .where('i.issuer', '=', ended.issuer)
    .$if(ended.subject !== undefined, (query) => query.where('i.subject', '=', ended.subject ?? ''))
    .$if(ended.sid !== undefined, (query) => query.where('o.sid', '=', ended.sid ?? ''))
    .execute()
  return rows.map((row) => row.session_uid)
}

/** The sessions that an account's identities have opened. */
export async function providerSessionsOf(db: Db, userUid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('single_sign_on_session as o')
    .innerJoin('single_sign_on_identity as i', 'i.uid', 'o.identity_uid')
    .select('o.session_uid')
    .where('i.user_uid', '=', userUid)
    .execute()
  return rows.map((row) => row.session_uid)
}
