import pg from 'pg'

export interface SessionLock {
  /** Aborts when the connection that holds the lock is lost: another node may have it from then on. */
  signal: AbortSignal
  release(): Promise<void>
}

// A node that loses power closes no connection: keepalives let the server notice and release its locks.
const KEEPALIVES = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3'
const ANSWER_MS = 5000
const CHECK_MS = 3000

/** One connection and the locks that it holds. */
class LockSession {
  readonly #client: pg.Client
  readonly #held = new Map<string, AbortController>()
  readonly #checking: NodeJS.Timeout
  #last: Promise<unknown> = Promise.resolve()
  isLost = false

  constructor(url: string) {
    const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS }
    this.#client = new pg.Client({ connectionString: url, keepAlive: true, ...limits })
    this.#client.on('error', () => this.#lose())
    this.#client.on('end', () => this.#lose())
    this.#checking = setInterval(
      () => void this.#query('select true as done').catch(() => this.#lose()),
      CHECK_MS,
    ).unref()
  }

  async open(): Promise<this> {
    try {
      await this.#client.connect()
      await this.#client.query(KEEPALIVES)
      return this
    } catch (error) {
      this.#lose()
      throw error
    }
  }

  async take(name: string): Promise<SessionLock | undefined> {
    // A session takes the same lock as often as it asks.
    if (this.#held.has(name)) return undefined
    const lost = new AbortController()
    this.#held.set(name, lost)
    const isMine = await this.#call('pg_try_advisory_lock', name)
    if (isMine) return { signal: lost.signal, release: () => this.#release(name) }
    this.#held.delete(name)
    return undefined
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {})
  }

  async #call(lockFunction: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string): Promise<boolean> {
    try {
      return await this.#query(`select ${lockFunction}(hashtext($1)) as done`, [name])
    } catch (error) {
      // Whether the server has done it is unknown. Without this connection it has not.
      this.#lose()
      throw error
    }
  }

  /** Jobs ask at the same time, and a connection answers one question after the other. */
  #query(statement: string, values: string[] = []): Promise<boolean> {
    const ask = async () => (await this.#client.query<{ done: boolean }>(statement, values)).rows[0]?.done ?? false
    const answer = this.#last.then(ask)
    this.#last = answer.catch(() => {})
    return answer
  }

  async #release(name: string): Promise<void> {
    // The end of a lost connection has released it.
    if (!this.isLost) await this.#call('pg_advisory_unlock', name).catch(() => {})
    this.#held.delete(name)
  }

  #lose(): void {
    if (this.isLost) return
    this.isLost = true
    clearInterval(this.#checking)
    for (const lost of this.#held.values()) lost.abort()
    // Missing in @types/pg. A server that does not answer would not end the connection.
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}

/**
 * Advisory locks that one node at a time has, all on one connection outside the pool, which is reopened after its loss.
 * It has no transaction open, so a lock that is held for long keeps no old snapshot and takes no connection from calls.
 */
export class SessionLocks {
  #session: { opening: Promise<LockSession>; lock: LockSession } | undefined

  constructor(private readonly url: string) {}

  /** Takes a lock, or answers undefined where another node, or other work of this one, has it. */
  async take(name: string): Promise<SessionLock | undefined> {
    if (!this.#session || this.#session.lock.isLost) {
      const lock = new LockSession(this.url)
      this.#session = { lock, opening: lock.open() }
    }
    return (await this.#session.opening).take(name)
  }

  async close(): Promise<void> {
    await (await this.#session?.opening.catch(() => undefined))?.close()
  }
}
