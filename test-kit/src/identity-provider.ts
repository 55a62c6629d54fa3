import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { CLIENT_ID, CLIENT_SECRET } from './identity-client.ts'

/** A person who can sign in at the provider by typing the name under which they are kept. */
export interface ProviderPerson {
  /** What the provider answers when it is asked about the person. */
  claims: Record<string, unknown>
  /** What stands in the person's ID tokens as well. */
  idTokenClaims?: Record<string, unknown>
  /** How they prove who they are; a password unless said otherwise. */
  amr?: string[]
}

interface Options {
  port: number
  /** Where the console is: the provider sends browsers back there. */
  publicUrl: string
  people?: Record<string, ProviderPerson>
  /** `localhost` for browsers that reach nothing else. */
  host?: '127.0.0.1' | 'localhost'
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const signInForm = page(
  'Acme sign-in',
  '<form method="post"><label>Name <input name="login" required autofocus></label> <button>Continue</button></form>' +
    '<form method="post"><button name="cancel" value="yes">Cancel</button></form>',
)

/** A real OpenID Connect provider on this machine, with people and keys of the test's own. */
export class TestIdentityProvider {
  readonly issuer: string
  readonly people: Map<string, ProviderPerson>
  readonly key: KeyObject
  /** Logout tokens that went out by the back channel, whether or not anyone took them. */
  readonly logoutTokens: string[] = []
  /** Claims that ID tokens get instead of the true ones. */
  readonly forged: Record<string, unknown> = {}
  readonly #options: Options
  #server: Server | undefined

  constructor(options: Options) {
    const { port, host = '127.0.0.1', people = {} } = options
    this.issuer = `http://${host}:${port}`
    this.people = new Map(Object.entries(people))
    this.key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    this.#options = options
  }

  /** The settings of a node that trusts it. */
  get settings() {
    return { issuer: this.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  }

  /** Starts it unless it runs. */
  async start(): Promise<void> {
    if (this.#server) return
    const provider = this.#create()
    const answer = provider.callback()
    this.#server = createServer((request, response) => {
      if (request.url?.startsWith('/interaction/')) void this.#interact(provider, request, response)
      else void answer(request, response)
    })
    this.#server.listen(this.#options.port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
    if (this.#server?.listening) await once(this.#server, 'close')
    this.#server = undefined
  }

  /** A logout token as the provider would sign it, changed as the test wants. */
  signLogoutToken(claims: Record<string, unknown>, key: KeyObject = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const usual = {
      iss: this.issuer,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 120,
      jti: crypto.randomUUID(),
      events: event,
    }
    const used = Object.fromEntries(Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined))
    return new SignJWT(used).setProtectedHeader({ alg: 'RS256', kid: 'test', typ: 'logout+jwt' }).sign(key)
  }

  #create(): Provider {
    const { publicUrl } = this.#options
    return new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${publicUrl}/login`],
          post_logout_redirect_uris: [`${publicUrl}/login`],
          backchannel_logout_uri: `${publicUrl}/api/v1/authentication/single-sign-on/back-channel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [{ ...this.key.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['test'] },
      claims: {
        openid: ['sub', 'amr'],
        email: ['email', 'email_verified', 'xms_edov'],
        profile: ['name', 'roles'],
      },
      findAccount: (_context, name) => {
        const person = this.people.get(name)
        const answered = (use: string) => (use === 'id_token' ? person?.idTokenClaims : person?.claims)
        return person && { accountId: name, claims: (use) => ({ sub: name, ...answered(use), ...this.forged }) }
      },
      // ID tokens carry the claims that a person has for them.
      conformIdTokenClaims: false,
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      // The console belongs to the company: no one is asked whether it may know their name.
      loadExistingGrant: async (context) => {
        const { client, session, provider } = context.oidc
        const grant = new provider.Grant({
          ...(client && { clientId: client.clientId }),
          ...(session?.accountId && { accountId: session.accountId }),
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>'
            context.body = page('Sign out of Acme?', form + button)
          },
        },
      },
      // Its own guard against calls to this machine is in the way of a test.
      fetch: async (url, given: RequestInit & { dispatcher?: unknown } = {}) => {
        const { dispatcher: _guard, ...request } = given
        if (request.body instanceof URLSearchParams) {
          const token = request.body.get('logout_token')
          if (token) this.logoutTokens.push(token)
        }
        return fetch(url, request).catch(() => new Response(null, { status: 200 }))
      },
    })
  }

  async #interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(signInForm)
      return
    }
    const form = new URLSearchParams(await text(request))
    const login = form.get('login') ?? ''
    const person = this.people.get(login)
    const result = person
      ? { login: { accountId: login, amr: person.amr ?? ['pwd'] } }
      : { error: 'access_denied', error_description: 'The person went away.' }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
}

/** A browser at the provider: it keeps cookies, follows redirects and fills in forms. */
export class ProviderVisitor {
  readonly #cookies = new Map<string, string>()

  async #open(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  /** Goes on until the provider asks something, or sends the browser to another site. */
  async #follow(start: string, form?: Record<string, string>): Promise<{ url: string; html?: string }> {
    const { origin } = new URL(start)
    let [url, response] = [start, await this.#open(start, form)]
    for (;;) {
      const next = response.headers.get('location')
      if (!next) return { url, html: await response.text() }
      url = new URL(next, url).href
      if (new URL(url).origin !== origin) return { url }
      response = await this.#open(url)
    }
  }

  /** Signs in under a name, or cancels; answers the query that the browser comes back with. */
  async signIn(authorizationUrl: string, login?: string): Promise<string> {
    const asked = await this.#follow(authorizationUrl)
    const answered =
      asked.html === undefined ? asked : await this.#follow(asked.url, login ? { login } : { cancel: 'yes' })
    if (answered.html !== undefined) throw new Error(`The provider does not send the browser back: ${answered.html}`)
    return new URL(answered.url).search.slice(1)
  }

  /** Signs out at the provider; answers where the browser comes back to. */
  async signOut(logoutUrl: string): Promise<string> {
    const { url, html = '' } = await this.#follow(logoutUrl)
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    return (await this.#follow(new URL(action, url).href, { xsrf, logout: 'yes' })).url
  }
}
