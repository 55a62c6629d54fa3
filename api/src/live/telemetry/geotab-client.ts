/** Where MyGeotab is, and who we are there. */
export interface GeotabAccount {
  /** Such as https://my.geotab.com; a simulator has one on loopback. */
  server: string
  database: string
  user: string
  password: string
}

/**
 * What went wrong, by what is to be done about it.
 * refused: user or password are wrong, asking again would not help.
 * overLimit: too many calls, wait as long as told.
 * unavailable: passes by itself, ask again later.
 * rejected: the call itself is wrong, so asking again would not help.
 */
type Failure = 'refused' | 'overLimit' | 'unavailable' | 'rejected'

export class GeotabError extends Error {
  readonly failure: Failure
  /** How long MyGeotab wants to be left alone, if it said so. */
  readonly waitMs: number | undefined

  constructor(failure: Failure, message: string, waitMs?: number) {
    super(message)
    this.failure = failure
    this.waitMs = waitMs
  }
}

/** A page of a feed, and the version after which the next one starts. */
export interface FeedPage {
  data: unknown[]
  toVersion: string
  /** When MyGeotab began to answer: it had counted the call by then, however long the way to it. */
  answeredAt: number
}

interface Answer {
  result: unknown
  answeredAt: number
}

interface Session {
  base: string
  credentials: object
}

interface Reply {
  result?: unknown
  error?: { message?: unknown; data?: { type?: unknown }; errors?: { name?: unknown }[] }
}

const TIMEOUT_MS = 60_000
// MyGeotab allows ten a minute for each user, wrong ones counted; another node may need some of them.
const AUTHENTICATIONS = 4
const MINUTE_MS = 60_000

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

class SessionEnded extends Error {}

/** Speaks MyGeotab's JSON-RPC. A session is opened by the first call and kept until MyGeotab no longer knows it. */
export function geotabClient({ server, database, user, password }: GeotabAccount, timeoutMs = TIMEOUT_MS) {
  const home = server.replace(/\/+$/, '')
  let session: Promise<Session> | undefined
  let authentications: number[] = []

  async function post(base: string, method: string, params: object, signal: AbortSignal): Promise<Answer> {
    const asked = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const { response, text, answeredAt } = await fetch(`${base}/apiv1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method, params }),
      // Another host is named by Authenticate only; credentials go nowhere else.
      redirect: 'error',
      signal: asked,
    })
      .then(async (answered) => ({ answeredAt: performance.now(), response: answered, text: await answered.text() }))
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw new GeotabError('unavailable', `MyGeotab cannot be reached: ${reasonOf(error)}`)
      })
    return { result: resultOf(response, text, method), answeredAt }
  }

  async function authenticate(signal: AbortSignal): Promise<Session> {
    const now = performance.now()
    authentications = authentications.filter((at) => at > now - MINUTE_MS)
    const [first = now] = authentications
    if (authentications.length >= AUTHENTICATIONS)
      throw new GeotabError('overLimit', 'Too many authentications in a minute.', first + MINUTE_MS - now)
    authentications.push(now)
    const { result } = await post(home, 'Authenticate', { database, userName: user, password }, signal).catch(
      (error) => {
        if (!(error instanceof SessionEnded)) throw error
        throw new GeotabError('refused', `MyGeotab refuses the user ${user} in the database ${database}.`)
      },
    )
    if (!isObject(result) || !isObject(result.credentials))
      throw new GeotabError('unavailable', 'MyGeotab answered without credentials.')
    const { path } = result
    const isElsewhere = typeof path === 'string' && path !== '' && path !== 'ThisServer'
    return { base: isElsewhere ? `${new URL(home).protocol}//${path}` : home, credentials: result.credentials }
  }

  /** One authentication for all calls that wait for it; a failed one is not kept. */
  function opened(signal: AbortSignal): Promise<Session> {
    if (session) return session
    const opening = authenticate(signal)
    session = opening
    opening.catch(() => {
      if (session === opening) session = undefined
    })
    return opening
  }

  async function call(method: string, params: object, signal: AbortSignal, isRetry = false): Promise<Answer> {
    const used = opened(signal)
    const { base, credentials } = await used
    try {
      return await post(base, method, { ...params, credentials }, signal)
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error
      // Another call may have opened a new one meanwhile.
      if (session === used) session = undefined
      if (isRetry) throw new GeotabError('unavailable', 'MyGeotab does not accept the session it has just opened.')
      return call(method, params, signal, true)
    }
  }

  return {
    /** What changed since a version, or what there is since a moment; without either, the version that holds now. */
    async getFeed(typeName: string, since: object, resultsLimit: number, signal: AbortSignal): Promise<FeedPage> {
      const { result, answeredAt } = await call('GetFeed', { typeName, ...since, resultsLimit }, signal)
      if (!isObject(result) || !Array.isArray(result.data) || typeof result.toVersion !== 'string')
        throw new GeotabError('unavailable', `MyGeotab answered GetFeed of ${typeName} with something else.`)
      return { data: result.data, toVersion: result.toVersion, answeredAt }
    },

    async get(typeName: string, signal: AbortSignal): Promise<unknown[]> {
      const { result } = await call('Get', { typeName }, signal)
      if (Array.isArray(result)) return result
      throw new GeotabError('unavailable', `MyGeotab answered Get of ${typeName} with something else.`)
    },
  }
}

export type GeotabClient = ReturnType<typeof geotabClient>

/** Errors come inside HTTP 200; proxies on the way answer with pages of their own. */
function resultOf(response: Response, text: string, method: string): unknown {
  const reply = parsed(text)
  const waitMs = retryAfter(response)
  if (!reply?.error && reply?.result !== undefined && response.ok) return reply.result
  const type = textOf(reply?.error?.data?.type) ?? textOf(reply?.error?.errors?.[0]?.name)
  const said = `MyGeotab answered ${method} with ${type ?? `HTTP ${response.status}`}.`
  if (type === 'InvalidUserException') throw new SessionEnded(said)
  if (type === 'OverLimitException' || response.status === 429) throw new GeotabError('overLimit', said, waitMs)
  const isPassing = type === undefined || type === 'DbUnavailableException' || response.status >= 500
  // The message may quote what was sent, but never the password: that is in Authenticate only.
  const why = method === 'Authenticate' ? '' : ` ${textOf(reply?.error?.message) ?? ''}`
  throw new GeotabError(isPassing ? 'unavailable' : 'rejected', `${said}${why}`, waitMs)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function parsed(text: string): Reply | undefined {
  try {
    const reply: unknown = JSON.parse(text)
    return isObject(reply) ? reply : undefined
  } catch {
    return undefined
  }
}

function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
