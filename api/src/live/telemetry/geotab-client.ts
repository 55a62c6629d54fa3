import type { Outbound } from '../../platform/http/outbound.ts'
import type { Trace } from '../../platform/observability/trace.ts'
import { callGeotab, GeotabError, isObject, type RpcAnswer, SessionEnded } from './geotab-rpc.ts'

/** The MyGeotab server and our account there. */
export interface GeotabAccount {
  /** Such as https://my.geotab.com; a simulator has one on loopback. */
  server: string
  database: string
  user: string
  password: string
  /** For an account that was entered in the console: checks where its calls go. */
  outbound?: Outbound | undefined
}

/** A page of a feed, and the version after which the next one starts. */
export interface FeedPage {
  data: unknown[]
  toVersion: string
  /** When the answer began to arrive. */
  answeredAt: number
}

/** The poll that makes a call. */
interface Poll {
  signal: AbortSignal
  trace: Trace
}

interface Session {
  base: string
  credentials: object
}

const TIMEOUT_MS = 60_000
// MyGeotab allows each user ten a minute, failed ones included; another node may need some of them.
const AUTHENTICATIONS_PER_MINUTE = 4
const MINUTE_MS = 60_000

/** Keeps one session: all calls share it until MyGeotab no longer accepts it. */
function sessionKeeper({ server, database, user, password, outbound }: GeotabAccount, timeoutMs: number) {
  const home = server.replace(/\/+$/, '')
  let session: Promise<Session> | undefined
  let authentications: number[] = []

  function countAuthentication(): void {
    const now = performance.now()
    authentications = authentications.filter((at) => at > now - MINUTE_MS)
    const [first = now] = authentications
    if (authentications.length >= AUTHENTICATIONS_PER_MINUTE)
      throw new GeotabError('overLimit', 'Too many sign-ins to MyGeotab within a minute.', {
        waitMs: first + MINUTE_MS - now,
      })
    authentications.push(now)
  }

  async function authenticate(poll: Poll): Promise<Session> {
    countAuthentication()
    const params = { database, userName: user, password }
    const call = { base: home, method: 'Authenticate', params, timeoutMs, outbound, ...poll }
    const { result } = await callGeotab(call).catch((error: unknown) => {
      // While MyGeotab is away, attempts cost nothing: the first one after its return must not have to wait.
      if (error instanceof GeotabError && error.isUnsent) authentications.pop()
      if (!(error instanceof SessionEnded)) throw error
      throw new GeotabError('refused', `MyGeotab rejected the sign-in of user ${user} to database ${database}.`)
    })
    if (!isObject(result) || !isObject(result.credentials))
      throw new GeotabError('unavailable', 'MyGeotab returned no credentials.')
    const { path } = result
    const isElsewhere = typeof path === 'string' && path !== '' && path !== 'ThisServer'
    return { base: isElsewhere ? `${new URL(home).protocol}//${path}` : home, credentials: result.credentials }
  }

  return {
    /** The session, or a new one that all callers wait for; a failed authentication is not kept. */
    open(poll: Poll): Promise<Session> {
      if (session) return session
      const opening = authenticate(poll)
      session = opening
      opening.catch(() => {
        if (session === opening) session = undefined
      })
      return opening
    },

    /** Drops a session that MyGeotab no longer accepts, unless another call has opened a new one since. */
    discard(used: Promise<Session>): void {
      if (session === used) session = undefined
    },
  }
}

/** Calls MyGeotab's JSON-RPC. The first call opens a session. */
export function geotabClient(account: GeotabAccount, timeoutMs = TIMEOUT_MS) {
  const sessions = sessionKeeper(account, timeoutMs)
  const { outbound } = account

  async function call(method: string, params: object, poll: Poll, isRetry = false): Promise<RpcAnswer> {
    const session = sessions.open(poll)
    const { base, credentials } = await session
    try {
      return await callGeotab({ base, method, params: { ...params, credentials }, timeoutMs, outbound, ...poll })
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error
      sessions.discard(session)
      if (isRetry) throw new GeotabError('unavailable', 'MyGeotab rejected the session that it just opened.')
      return call(method, params, poll, true)
    }
  }

  return {
    /** Records since a version or since a moment; without either, only the current version. */
    async getFeed(typeName: string, since: object, resultsLimit: number, poll: Poll): Promise<FeedPage> {
      const { result, answeredAt } = await call('GetFeed', { typeName, ...since, resultsLimit }, poll)
      if (!isObject(result) || !Array.isArray(result.data) || typeof result.toVersion !== 'string')
        throw new GeotabError('unavailable', `MyGeotab sent an unexpected reply to GetFeed for ${typeName}.`)
      return { data: result.data, toVersion: result.toVersion, answeredAt }
    },

    async get(typeName: string, poll: Poll): Promise<unknown[]> {
      const { result } = await call('Get', { typeName }, poll)
      if (Array.isArray(result)) return result
      throw new GeotabError('unavailable', `MyGeotab sent an unexpected reply to Get for ${typeName}.`)
    },
  }
}

export type GeotabClient = ReturnType<typeof geotabClient>
