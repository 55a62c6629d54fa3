import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { DB } from './schema.ts'

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

/** Marks a statement as worth preparing once per connection: its plan does not depend on the values given. */
export const prepared = (statement: string) => `${PREPARED} ${statement}`

// Every connection keeps what it prepared; a caller who varies filters and page sizes must not fill its memory.
const MAX_PREPARED = 200
const names = new Map<string, string>()

/** The name to prepare a statement under, or undefined when it is to be planned for this once. */
function nameOf(statement: unknown): string | undefined {
  if (typeof statement !== 'string' || !statement.startsWith(PREPARED)) return undefined
  const known = names.get(statement)
  if (known || names.size >= MAX_PREPARED) return known
  const name = createHash('sha1').update(statement).digest('base64url')
  names.set(statement, name)
  return name
}

class PreparingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // A connection that breaks while it is in use fails its query; unheard, the event would end the process.
    this.on('error', () => {})
  }

  // @types/pg describes query by eight overloads; this one passes every form through and names the marked ones.
  override query = ((first: unknown, ...rest: unknown[]) => {
    const query = super.query.bind(this) as (...args: unknown[]) => unknown
    const name = nameOf(first)
    return name ? query({ name, text: first, values: rest[0] }) : query(first, ...rest)
  }) as pg.Client['query']
}

const pools = new WeakMap<Db, pg.Pool>()

/** The pool behind a connection, for the little that Kysely cannot do. */
export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('A transaction has no pool of its own.')
  return pool
}

/** Opens a pool of connections. It connects when first used. */
export function connect(url: string, { max = 10 }: { max?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    Client: PreparingClient,
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: 10_000,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
  pools.set(db, pool)
  return { db, close: () => db.destroy() }
}

/** Runs a piece of work in one transaction. Its parameter shadows the connection, so the wrong one is out of reach. */
export const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Runs statements that only read, all on what was there at one moment. */
export const inSnapshot = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
