import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import {
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type DialectAdapter,
  Kysely,
  PostgresDialect,
  type QueryCompiler,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import pg from 'pg'
import { answers, type Waiting, detectHungConnections } from './detect-hung-connections.ts'
import { CopyIn } from './copy-in.ts'
import { EndingCursor } from './ending-cursor.ts'
import { connectionWaitSeconds, statementSeconds } from '../observability/metrics.ts'
import { RecentlyUsed } from '../runtime/recently-used.ts'
import type { DB } from './schema.ts'
import { SessionLocks } from './session-locks.ts'

export type Db = Kysely<DB>

export interface Database {
  db: Db
  close: () => Promise<void>
}

const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ
const parsers: Record<number, (text: string) => unknown> = {
  // Instants travel as ISO 8601 UTC, with PostgreSQL's microseconds: as a cursor they must compare equal again.
  [TIMESTAMPTZ]: (text) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`,
  [pg.types.builtins.DATE]: (text) => text,
  // Counts and ids stay far below 2^53.
  [pg.types.builtins.INT8]: Number,
}

type TypeId = Parameters<typeof pg.types.getTypeParser>[0]

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: TypeId, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
}

const PREPARED = '/* prepared */'

const PREPARED_SQL = sql.raw(PREPARED)

/** Marks a statement as worth preparing once per connection: its plan does not depend on its values. */
export function prepared(statement: string): string
export function prepared<Row>(statement: RawBuilder<Row>): RawBuilder<Row>
export function prepared<Row>(statement: string | RawBuilder<Row>): string | RawBuilder<Row> {
  return typeof statement === 'string' ? `${PREPARED} ${statement}` : sql<Row>`${PREPARED_SQL} ${statement}`
}

const isPrepared = (statement: unknown): statement is string =>
  typeof statement === 'string' && statement.startsWith(PREPARED)

/** How many prepared statements a connection keeps: those used last, so varied filters do not fill its memory. */
export const MAX_PREPARED = 200

const COPIED = '/* copied */'

/** Marks a COPY … FROM STDIN whose only value is the text to copy. */
export const copied = (statement: string) => `${COPIED} ${statement}`

async function copyText(query: (copy: CopyIn) => unknown, statement: string, text: string) {
  const copy = new CopyIn(statement)
  query(copy)
  copy.end(text)
  await finished(copy)
  return { command: 'COPY', rows: [] }
}

/** The statements that pg knows to be prepared; missing in @types/pg. */
type PreparedConnection = pg.Connection & { parsedStatements: Record<string, string> }

/** Closes a prepared statement in the same round trip as a query. In a failed transaction this works, unlike DEALLOCATE. */
function closeBefore(query: pg.Query, name: string): void {
  const submit = query.submit.bind(query)
  query.submit = (connection) => {
    connection.close({ type: 'S', name }, false)
    delete (connection as PreparedConnection).parsedStatements[name]
    return submit(connection)
  }
}

type Answered = (error: Error | undefined | null, result: pg.QueryResult) => void

/** The error with a stack that leads to the caller instead of the socket. */
function withCaller(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error)
  return error
}

class PreparingClient extends pg.Client implements Waiting {
  waitingSince: number | undefined
  /** The server's process behind this connection. Through a pooler, `processID` is a number of the pooler's own. */
  backendPid: number | undefined

  constructor(config?: pg.ClientConfig) {
    super(config)
    // A connection that breaks while it is in use fails its query; without a listener the event would end the process.
    this.on('error', () => {})
    this.on('drain', () => (this.waitingSince = undefined))
    this.once('connect', () =>
      this.below.on('errorMessage', ({ severity }: { severity?: string }) => {
        // The server hangs up after a fatal error: the pool must not reuse the connection.
        if (severity === 'FATAL') void this.end()
      }),
    )
  }

  /** Missing in @types/pg. */
  private get below(): EventEmitter & { stream: Socket } {
    return (this as unknown as { connection: EventEmitter & { stream: Socket } }).connection
  }

  giveUp(): void {
    this.below.stream.destroy()
  }

  // @types/pg describes query by eight overloads; this one passes every form through but those with a text and values.
  override query = ((first: unknown, ...rest: unknown[]) => {
    this.waitingSince ??= performance.now()
    const [values] = rest
    if (typeof first !== 'string' || rest.length > 1 || typeof values === 'function') return this.#send(first, ...rest)
    if (first.startsWith(COPIED)) return copyText((copy) => this.#send(copy), first, (values as [string])[0])
    return this.#runText(first, values as unknown[])
  }) as pg.Client['query']

  #send(...given: unknown[]): unknown {
    return (super.query as (...given: unknown[]) => unknown).call(this, ...given)
  }

  readonly #names = new RecentlyUsed<string>(MAX_PREPARED)
  #count = 0

  async #runText(text: string, values: unknown[] | undefined): Promise<pg.QueryResult> {
    try {
      return await new Promise((resolve, reject) => {
        this.run(text, values, (error, result) => (error ? reject(error) : resolve(result)))
      })
    } catch (error) {
      throw withCaller(error)
    }
  }

  /** Runs a statement and times it. */
  run(text: string, values: readonly unknown[] | undefined, done: Answered): void {
    const began = performance.now()
    this.waitingSince ??= began
    const answered: Answered = (error, result) => {
      statementSeconds.observe((performance.now() - began) / 1000)
      done(error, result)
    }
    // The type says otherwise: a statement may have no values.
    const given = { text, values: values as unknown[] }
    this.#send(isPrepared(text) ? this.#named(given, answered) : new pg.Query(given, answered))
  }

  /** A statement under its name. The statement that leaves the connection for it is closed on the way. */
  #named(given: { text: string; values: unknown[] }, answered: Answered): pg.Query {
    const known = this.#names.get(given.text)
    const name = known ?? `prepared ${++this.#count}`
    const dropped = known === undefined ? this.#names.set(given.text, name) : undefined
    const query = new pg.Query({ name, ...given }, answered)
    if (dropped !== undefined) closeBefore(query, dropped)
    return query
  }
}

const DISK_FULL = '53100'
const GROW_AGAIN_MS = 30_000

/**
 * Times how long work waits for a connection. A server whose disk is full may be unable to open one: work then waits for those
 * that are open.
 */
class MeasuredPool extends pg.Pool {
  readonly #max = this.options.max
  #growAgain: NodeJS.Timeout | undefined

  // @types/pg describes connect by two overloads: with and without a callback.
  override connect = ((callback?: Connected) => {
    const asked = performance.now()
    const note = () => connectionWaitSeconds.observe((performance.now() - asked) / 1000)
    if (callback) {
      return this.#connect((...given) => {
        note()
        callback(...given)
      })
    }
    return new Promise<pg.PoolClient>((resolve, reject) => {
      this.#connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('No connection.'))))
    }).finally(note)
  }) as pg.Pool['connect']

  #connect(callback: Connected): void {
    super.connect((...given) => {
      const error = given[0] as { code?: string } | undefined
      if (error?.code !== DISK_FULL || this.totalCount === 0) return callback(...given)
      this.#stopGrowing()
      this.#connect(callback)
    })
  }

  #stopGrowing(): void {
    this.options.max = this.totalCount
    clearTimeout(this.#growAgain)
    this.#growAgain = setTimeout(() => (this.options.max = this.#max), GROW_AGAIN_MS).unref()
  }
}

type Connected = Parameters<pg.Pool['connect']>[0]

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Runs a single statement on a connection of the pool, without the fifteen promises that Kysely takes for one. */
class DirectExecutor extends DefaultQueryExecutor {
  constructor(
    private readonly pool: pg.Pool,
    compiler: QueryCompiler,
    adapter: DialectAdapter,
    provider: DefaultConnectionProvider,
  ) {
    super(compiler, adapter, provider)
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Copied text is a stream.
    if (query.sql.startsWith(COPIED)) return super.executeQuery(query)
    try {
      const { command, rowCount, rows } = await this.#ask(query)
      return { rows: rows as Row[], ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
    } catch (error) {
      throw withCaller(error)
    }
  }

  #ask({ sql: text, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.pool.connect((error, client, release) => {
        if (error || !client) {
          reject(error)
          return
        }
        const preparing = client as unknown as PreparingClient
        preparing.run(text, parameters, (error, result) => {
          // After this event, when it is known whether the server ends the connection.
          process.nextTick(release)
          if (error) reject(error)
          else resolve(result)
        })
      })
    })
  }
}

/** Kysely on a pool. */
function kyselyOn(pool: pg.Pool): Db {
  const dialect = new PostgresDialect({ pool, cursor: EndingCursor })
  const driver = dialect.createDriver()
  // It only takes over the pool.
  void driver.init()
  const provider = new DefaultConnectionProvider(driver)
  const executor = new DirectExecutor(pool, dialect.createQueryCompiler(), dialect.createAdapter(), provider)
  return new Kysely<DB>({ config: { dialect }, dialect, driver, executor })
}

const opened = new WeakMap<Db, { pool: pg.Pool; sessionLocks: SessionLocks }>()

function openedAs(db: Db) {
  const found = opened.get(db)
  if (!found) throw new Error('A transaction has no pool and no locks of its own.')
  return found
}

/** The pool behind a connection, for what Kysely cannot do. */
export const poolOf = (db: Db): pg.Pool => openedAs(db).pool

/** The locks of this node in the database behind a connection. */
export const sessionLocksOf = (db: Db): SessionLocks => openedAs(db).sessionLocks

const CONNECT_MS = 10_000
const LOCK_MS = 20_000
const PATIENCE_MS = 8000

interface Options {
  max?: number
  /** How many stay open once they are; others are closed after a while without work. One unless given. */
  min?: number
  /** How long work waits for a connection. */
  waitMs?: number
  /** How long a statement waits for a lock; 0 for no limit. */
  lockTimeoutMs?: number
  /** How long a statement takes before the server is checked for life. */
  patienceMs?: number
}

/** By a statement: poolers such as PgBouncer refuse or ignore settings that come with the connection. */
async function prepareSession(client: PreparingClient, lockTimeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `select pg_backend_pid() as pid, set_config('TimeZone', 'UTC', false), set_config('lock_timeout', $1, false)`,
    [String(lockTimeoutMs)],
  )
  client.backendPid = rows[0]?.pid
}

/** Opens a pool of connections. It connects when first used. */
export function connect(
  url: string,
  { max = 10, min = 1, waitMs = CONNECT_MS, lockTimeoutMs = LOCK_MS, patienceMs = PATIENCE_MS }: Options = {},
): Database {
  const open = new Set<PreparingClient>()
  const onConnect = async (client: PreparingClient) => {
    open.add(client)
    await prepareSession(client, lockTimeoutMs).catch((error: unknown) => {
      open.delete(client)
      throw error
    })
  }
  const pool = new MeasuredPool({
    connectionString: url,
    max,
    min,
    types,
    Client: PreparingClient,
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The pool waits for it; its type says otherwise.
    onConnect: onConnect as (client: pg.ClientBase) => unknown,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('remove', (client: unknown) => open.delete(client as PreparingClient))
  const probe = () =>
    new pg.Client({ connectionString: url, connectionTimeoutMillis: patienceMs / 2, query_timeout: patienceMs / 2 })
  const watching = detectHungConnections(open, () => answers(probe()), patienceMs)
  const db = kyselyOn(pool)
  const sessionLocks = new SessionLocks(url)
  opened.set(db, { pool, sessionLocks })
  const close = async () => {
    watching.stop()
    await sessionLocks.close()
    await db.destroy()
  }
  return { db, close }
}

/** Runs work in one transaction. Its parameter shadows the connection, so the wrong one is out of reach. */
export const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Runs statements that only read, all on the same snapshot. */
export const inSnapshot = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** Whether a statement failed with this code. A cluster reports it by the sentence alone, after a COPY for one. */
export function hasFailedWith(error: unknown, code: string, sentence: string): boolean {
  const found = error as { code?: unknown; message?: string }
  return found.code === code || found.message?.startsWith(sentence) === true
}

/** Whether a statement failed because the row exists already. */
export const isRepeated = (error: unknown): boolean =>
  hasFailedWith(error, '23505', 'duplicate key value violates unique constraint')
