import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { hashToken } from '../../platform/http/session.ts'

/** How long a passkey may take to sign. */
export const CHALLENGE_MS = 5 * 60_000

/** What a challenge is for, and which session or pending sign-in asked for it. */
export interface ChallengeUse {
  purpose: 'register' | 'signIn' | 'secondFactor' | 'proof'
  askedBy: string | null
}

/** Makes a challenge that one answer may use. */
export async function createChallenge(db: Db, { purpose, askedBy }: ChallengeUse): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: hashToken(Buffer.from(challenge).toString('base64url')),
      purpose,
      asked_by: askedBy,
      expires_at: sql`now() + ${CHALLENGE_MS} * interval '1 millisecond'`,
    })
    .execute()
  return challenge
}

/** The challenge that the browser says was signed. */
function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Uses up the challenge of an answer; undefined if it was not asked for like this, was used or has expired. */
export async function consumeChallenge(db: Db, clientData: string, use: ChallengeUse): Promise<string | undefined> {
  const challenge = challengeIn(clientData)
  if (challenge === undefined) return undefined
  const used = await db
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['purpose', 'asked_by'])
    .executeTakeFirst()
  return used?.purpose === use.purpose && used.asked_by === use.askedBy ? challenge : undefined
}
