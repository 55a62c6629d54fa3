import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { NewPasskey, PasskeyAnswer, ReplyOf, secondFactors } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { CHALLENGE_MS, type ChallengeUse, consumeChallenge, createChallenge } from './challenges.ts'

// Loaded by the first passkey: it takes a sixth of the time that a node needs to start.
const library = () => import('@simplewebauthn/server')

/** The site that passkeys belong to: people reach it at its public address. */
export interface RelyingParty {
  id: string
  name: string
  origin: string
}

export const relyingParty = (env: { brandName: string; publicUrl: string }): RelyingParty => ({
  id: new URL(env.publicUrl).hostname,
  // The company may be renamed while this node runs.
  get name() {
    return env.brandName
  },
  origin: new URL(env.publicUrl).origin,
})

const handleOf = (userUid: string) => new Uint8Array(Buffer.from(userUid))

const credentialsOf = (db: Db, userUid: string) =>
  db.selectFrom('passkey').select(['credential_id as id', 'transports']).where('user_uid', '=', userUid).execute()

/** What the browser needs to make a passkey that signs in by itself: it names its user and verifies them. */
export async function passkeyCreationFor(db: Db, rp: RelyingParty, owner: Actor) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: rp.name,
    rpID: rp.id,
    userID: handleOf(owner.uid),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: await createChallenge(db, { purpose: 'register', askedBy: owner.sessionUid }),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: await credentialsOf(db, owner.uid),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { challenge, rp: site, user, pubKeyCredParams, excludeCredentials = [] } = options
  return {
    challenge,
    rp: site,
    user,
    pubKeyCredParams,
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials,
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  } as ReplyOf<typeof secondFactors.challengePasskey>['data']
}

/** What the browser needs to have a challenge signed, by a passkey of one user or of any. */
export async function passkeyRequestFor(db: Db, rp: RelyingParty, use: ChallengeUse, userUid?: string) {
  const { generateAuthenticationOptions } = await library()
  const { challenge, allowCredentials } = await generateAuthenticationOptions({
    rpID: rp.id,
    challenge: await createChallenge(db, use),
    ...(userUid !== undefined && { allowCredentials: await credentialsOf(db, userUid) }),
    userVerification: 'required',
  })
  return {
    challenge,
    rpId: rp.id,
    timeout: CHALLENGE_MS,
    ...(allowCredentials && { allowCredentials }),
    userVerification: 'required',
  } as ReplyOf<typeof secondFactors.challengeSignIn>['data']
}

/** Checks a new passkey against the challenge of this session, which is used up by it. */
export async function checkNewPasskey(db: Db, rp: RelyingParty, sessionUid: string, given: NewPasskey) {
  const use = { purpose: 'register', askedBy: sessionUid } as const
  const expectedChallenge = await consumeChallenge(db, given.response.clientDataJSON, use)
  if (expectedChallenge === undefined) throw new AppError('setupExpired')
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...given, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw new AppError('passkeyNotAdded')
  const { credential, credentialDeviceType } = registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    is_synced: credentialDeviceType === 'multiDevice',
  }
}

const passkeyByCredential = (db: Db, credentialId: string) =>
  db
    .selectFrom('passkey as p')
    .innerJoin('user_account as u', 'u.uid', 'p.user_uid')
    .select(['p.uid', 'p.user_uid', 'p.credential_id', 'p.public_key', 'p.counter', 'p.transports'])
    .where('p.credential_id', '=', credentialId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()

/** Whether a user still has a passkey. Its signature is checked before the account is locked. */
export async function hasPasskey(db: Db, userUid: string, { id }: Pick<PasskeyAnswer, 'id'>): Promise<boolean> {
  const own = db.selectFrom('passkey').select('uid').where('credential_id', '=', id).where('user_uid', '=', userUid)
  return (await own.executeTakeFirst()) !== undefined
}

/** The user whose passkey has signed the challenge. The challenge is used up, whether the answer is right or wrong. */
export async function userOfAnswer(db: Db, rp: RelyingParty, use: ChallengeUse, given: PasskeyAnswer): Promise<string> {
  const expectedChallenge = await consumeChallenge(db, given.response.clientDataJSON, use)
  const known = expectedChallenge === undefined ? undefined : await passkeyByCredential(db, given.id)
  const { userHandle } = given.response
  if (!known || expectedChallenge === undefined) throw new AppError('passkeyRefused')
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== known.user_uid) {
    throw new AppError('passkeyRefused')
  }
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...given, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    credential: {
      id: known.credential_id,
      publicKey: new Uint8Array(known.public_key),
      counter: known.counter,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw new AppError('passkeyRefused')
  await countUse(db, known.uid, authenticationInfo.newCounter)
  return known.user_uid
}

/** A counter that does not grow means that someone has copied the passkey. Two answers at once are distinguished here. */
async function countUse(db: Db, uid: string, counter: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, used_at: sql`now()` })
    .where('uid', '=', uid)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new AppError('passkeyRefused')
}
