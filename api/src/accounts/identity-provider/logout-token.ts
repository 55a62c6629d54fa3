import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AppError } from '../../platform/runtime/app-error.ts'

/** The sessions that a provider has ended: one of its own, or all of a person. */
export interface EndedAtProvider {
  issuer: string
  subject: string | undefined
  sid: string | undefined
  /** Names the token, which works once. */
  tokenId: string
}

interface Expected {
  issuer: string
  clientId: string
  /** Those that the provider says it signs with. */
  algorithms: string[] | undefined
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 10 * 60
const CLOCK_TOLERANCE_SECONDS = 30

// A shared secret or no signature at all would let others than the provider write tokens.
const isAsymmetric = (algorithm: string) => /^(RS|PS|ES|Ed)/.test(algorithm)

/** Checks a logout token as OpenID Connect Back-Channel Logout 1.0 demands (2.6). */
export async function readLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, clientId, algorithms = ['RS256'] }: Expected,
): Promise<EndedAtProvider> {
  const options = {
    issuer,
    audience: clientId,
    algorithms: algorithms.filter(isAsymmetric),
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }
  const { payload } = await jwtVerify(token, keys, options).catch((error: unknown) => {
    throw new AppError(isUnreachable(error) ? 'singleSignOnAway' : 'logoutTokenRefused')
  })
  return endedIn(payload, issuer)
}

// jose throws its own errors for everything that is wrong with a token or with its key.
const isUnreachable = (error: unknown) =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC'

function endedIn({ events, nonce, sub, sid, jti }: JWTPayload, issuer: string): EndedAtProvider {
  const event = (events as Record<string, unknown> | null)?.[LOGOUT_EVENT]
  const isLogout = typeof event === 'object' && event !== null
  const subject = typeof sub === 'string' && sub !== '' ? sub : undefined
  const session = typeof sid === 'string' && sid !== '' ? sid : undefined
  // A nonce would make it an ID token, which people hold in their browsers.
  if (!isLogout || nonce !== undefined || (!subject && !session) || typeof jti !== 'string' || jti === '') {
    throw new AppError('logoutTokenRefused')
  }
  return { issuer, subject, sid: session, tokenId: jti }
}
