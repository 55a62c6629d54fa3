import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import { Kysely, type LogEvent, PostgresDialect, type RawBuilder, sql } from 'kysely'
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

  // @types/pg describes query by eight overloads; this one passes every form through and names the marked ones.
  override query = ((first: unknown, ...rest: unknown[]) => {
    const query = super.query.bind(this) as (...args: unknown[]) => unknown
    this.waitingSince ??= performance.now()
    if (typeof first === 'string' && first.startsWith(COPIED)) return copyText(query, first, (rest[0] as [string])[0])
    return isPrepared(first) ? this.#runPrepared(query, first, rest[0]) : query(first, ...rest)
  }) as pg.Client['query']

  readonly #names = new RecentlyUsed<string>(MAX_PREPARED)
  #named = 0

  /** Runs a statement under its name. The statement that leaves the connection for it is closed on the way. */
  async #runPrepared(query: (named: pg.Query) => unknown, text: string, values: unknown): Promise<unknown> {
    const known = this.#names.get(text)
    const name = known ?? `prepared ${++this.#named}`
    const dropped = known === undefined ? this.#names.set(text, name) : undefined
    try {
      return await new Promise((resolve, reject) => {
        const named = new pg.Query({ name, text, values: values as unknown[] }, (error, result) =>
          error ? reject(error) : resolve(result),
        )
        if (dropped !== undefined) closeBefore(named, dropped)
        query(named)
      })
    } catch (error) {
      // The stack leads to the caller instead of the socket.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
}

/** Times how long work waits for a connection. */
class MeasuredPool extends pg.Pool {
  // @types/pg describes connect by two overloads; the one with a callback is used by the pool itself.
  override connect = ((callback?: never) => {
    if (callback) return super.connect(callback)
    const stop = connectionWaitSeconds.startTimer()
    return super.connect().finally(() => stop())
  }) as pg.Pool['connect']
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

const timeStatement = ({ queryDurationMillis }: LogEvent) => statementSeconds.observe(queryDurationMillis / 1000)

/** Opens a pool of connections. It connects when first used. */
export function connect(
  url: string,
  { max = 10, waitMs = CONNECT_MS, lockTimeoutMs = LOCK_MS, patienceMs = PATIENCE_MS }: Options = {},
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
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool, cursor: EndingCursor }), log: timeStatement })
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
