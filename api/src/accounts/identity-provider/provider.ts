import { createRemoteJWKSet } from 'jose'
import * as oidc from 'openid-client'
import type { SingleSignOnSettings } from '../../env-single-sign-on.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { ExternalServices } from '../../platform/runtime/external-services.ts'
import { flowValuesOf } from './flow-secret.ts'
import { readLogoutToken, type EndedAtProvider } from './logout-token.ts'
import { accountNameOf, claimedRoleOf, hasStrongMethod, type ProviderIdentity, verifiedEmailOf } from './rules.ts'

/** How long the provider's metadata is trusted before it is read again. */
const KEEP_MS = 60 * 60_000
/** How soon a failed renewal is tried again while the old metadata serves on. */
const RETRY_MS = 60_000
const TIMEOUT_SECONDS = 5

type LogProblem = (problem: { code: string; message: string }) => void

interface Known {
  configuration: oidc.Configuration
  keys: ReturnType<typeof createRemoteJWKSet>
}

const away = () => new AppError('singleSignOnAway', { retryAfter: 30 })

/** The default of OpenID Connect is the header; some providers take the secret in the body only. */
const authenticateClient =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isByHeader = methods === undefined || methods.includes('client_secret_basic')
    return (isByHeader ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret))(server, client, body, headers)
  }

async function discover({ issuer, clientId, clientSecret }: SingleSignOnSettings): Promise<Known> {
  const isLoopback = issuer.startsWith('http:')
  const configuration = await oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    authenticateClient(clientSecret),
    // The settings refuse plain HTTP except on this machine.
    {
      timeout: TIMEOUT_SECONDS,
      execute: [oidc.enableNonRepudiationChecks, ...(isLoopback ? [oidc.allowInsecureRequests] : [])],
    },
  )
  const { jwks_uri: keysUrl } = configuration.serverMetadata()
  if (!keysUrl) throw new Error('The identity provider names no keys.')
  return { configuration, keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: TIMEOUT_SECONDS * 1000 }) }
}

/** Reads what the provider says of itself and its keys; the sentence names it. Fails if either cannot be read. */
export async function testIdentityProvider(settings: SingleSignOnSettings): Promise<string> {
  const { configuration } = await discover(settings)
  const { issuer, jwks_uri: keysUrl = '' } = configuration.serverMetadata()
  const response = await fetch(keysUrl, { signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000) })
  const { keys } = (await response.json()) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('The identity provider has no keys.')
  return `${issuer} answers, with ${keys.length} ${keys.length === 1 ? 'key' : 'keys'} for signatures.`
}

/** Reads the metadata again every hour. The provider may be away at the start: it is tried until it answers. */
function metadataReader(settings: SingleSignOnSettings, services: ExternalServices): () => Promise<Known> {
  let known: Known | undefined
  let renewAt = 0
  let reading: Promise<Known> | undefined

  async function read(): Promise<Known> {
    known = await discover(settings)
    renewAt = Date.now() + KEEP_MS
    return known
  }

  const provider = services.watch({
    name: 'singleSignOn',
    label: 'The identity provider',
    effect: "People can't sign in with their company account; passwords and open sessions work.",
    probe: read,
  })

  async function renew(): Promise<Known> {
    try {
      const renewed = await read()
      provider.answered()
      return renewed
    } catch (error) {
      provider.failed(error)
      if (!known) throw away()
      renewAt = Date.now() + RETRY_MS
      return known
    }
  }

  return async () => {
    if (known && Date.now() < renewAt) return known
    reading ??= renew().finally(() => (reading = undefined))
    return reading
  }
}

const NETWORK = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']

/** The answer for a sign-in that the provider or the checks refused. Only the code is logged: causes hold tokens. */
function refusalOf(error: unknown, log: LogProblem): AppError {
  const { code = '', message = '', error: said = '' } = error as { code?: string; message?: string; error?: string }
  log({ code: said || code, message })
  if (said === 'access_denied') return new AppError('singleSignOnCanceled')
  const isAway = said === 'temporarily_unavailable' || said === 'server_error' || NETWORK.includes(code)
  return isAway || message === 'fetch failed' ? away() : new AppError('singleSignOnFailed')
}

/** The company's identity provider, as signing in and out needs it. */
export function createIdentityProvider(
  settings: SingleSignOnSettings,
  { publicUrl, services }: { publicUrl: string; services: ExternalServices },
) {
  const { clientId, scopes, roleClaim, roles } = settings
  const metadata = metadataReader(settings, services)
  // The sign-in page itself: it is one of the few pages that open without a session.
  const redirectUri = `${publicUrl}/login`

  async function exchange(callback: URLSearchParams, secret: string) {
    const { configuration } = await metadata()
    const { state, nonce, codeVerifier } = flowValuesOf(secret)
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${callback.toString()}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    })
    const idClaims = tokens.claims()
    if (!idClaims || !tokens.id_token) throw new Error('The identity provider sent no ID token.')
    const isComplete = idClaims['email'] !== undefined && (roles.length === 0 || idClaims[roleClaim] !== undefined)
    const hasMore = !isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, idClaims.sub) : {}
    // What is signed counts more than what was fetched.
    const claims: Record<string, unknown> & typeof idClaims = { ...more, ...idClaims }
    return { claims, verifiedEmail: verifiedEmailOf([idClaims, more]), idToken: tokens.id_token }
  }

  return {
    settings,

    /** Where the browser goes to sign in. */
    async authorizationUrl(secret: string): Promise<string> {
      const { configuration } = await metadata()
      const { state, nonce, codeChallenge } = flowValuesOf(secret)
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).href
    },

    /** Exchanges the code in the query that the browser came back with, and checks everything the provider says. */
    async identify(callback: URLSearchParams, secret: string, log: LogProblem): Promise<ProviderIdentity> {
      const { claims, verifiedEmail, idToken } = await exchange(callback, secret).catch((error: unknown) => {
        throw error instanceof AppError ? error : refusalOf(error, log)
      })
      return {
        issuer: claims.iss,
        subject: claims.sub,
        verifiedEmail,
        name: accountNameOf(claims),
        claimedRole: claimedRoleOf(claims[roleClaim], roles),
        hasSecondFactor: hasStrongMethod(claims['amr']),
        sid: typeof claims['sid'] === 'string' ? claims['sid'] : null,
        idToken,
      }
    },

    /** Where the browser goes to sign out there too; undefined if the provider has no such page or is away. */
    async logoutUrl(idToken: string): Promise<string | undefined> {
      const known = await metadata().catch(() => undefined)
      if (!known?.configuration.serverMetadata().end_session_endpoint) return undefined
      return oidc.buildEndSessionUrl(known.configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: redirectUri,
      }).href
    },

    /** Checks a logout token of the back channel. */
    async readLogoutToken(token: string): Promise<EndedAtProvider> {
      const { configuration, keys } = await metadata()
      const { issuer, id_token_signing_alg_values_supported: algorithms } = configuration.serverMetadata()
      return readLogoutToken(token, keys, { issuer, clientId, algorithms })
    },
  }
}
