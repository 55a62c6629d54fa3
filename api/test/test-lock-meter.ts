import pg from 'pg'

/** A statement that reads plays or positions, as it was sent. */
interface Reading {
  text: string
  values: unknown[]
  isNamed: boolean
}

const READS = /\b(?:from|join|update|using)\s+(?:only\s+)?"?(?:play|position)"?(?=[\s,;)])/i
const COPIES = /copy \(([\s\S]*?)\) to stdout/gi

/** How many partitions of plays and positions the transaction of a connection has locked. */
const LOCKED = `
  select count(*)::int as locked from pg_locks l join pg_class c on c.oid = l.relation
   where l.pid = pg_backend_pid() and l.database = (select oid from pg_database where datname = current_database())
     and c.relispartition and c.relkind = 'r' and c.relname ~ '^(play|position)_'`

interface Sent {
  text?: string
  values?: unknown[]
  name?: string
}

/** Notes the statements that read plays or positions, and the partitions that transactions have locked at their end. */
export class LockMeter {
  readonly readings = new Map<string, Reading>()
  /** The most partitions that one transaction had locked. */
  mostInTransaction = 0
  // oxlint-disable-next-line typescript/unbound-method -- called with the client that it was called on
  readonly #query = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>
  // oxlint-disable-next-line typescript/unbound-method
  readonly #wireQuery = pg.Connection.prototype.query

  start(): void {
    const note = (reading: Reading) => this.#note(reading)
    const count = (client: pg.Client) => this.#count(client)
    const [query, wireQuery] = [this.#query, this.#wireQuery]
    pg.Client.prototype.query = function (this: pg.Client, first: string | Sent, ...rest: unknown[]) {
      const { text = '', values = [], name } = typeof first === 'string' ? { text: first, values: rest[0] } : first
      if (text === 'commit') return count(this).then(() => query.call(this, first, ...rest))
      note({ text, values: values as unknown[], isNamed: name !== undefined })
      return query.call(this, first, ...rest)
    } as unknown as pg.Client['query']
    pg.Connection.prototype.query = function (this: pg.Connection, text: string) {
      for (const [, select = ''] of text.matchAll(COPIES)) note({ text: select, values: [], isNamed: false })
      return wireQuery.call(this, text)
    }
  }

  stop(): void {
    pg.Client.prototype.query = this.#query as unknown as pg.Client['query']
    pg.Connection.prototype.query = this.#wireQuery
  }

  #note(reading: Reading): void {
    if (!READS.test(reading.text) || /^\s*(?:explain|copy)\b/i.test(reading.text)) return
    // Statements that differ in their literals are planned apart, and so are long and short times.
    this.readings.set(`${reading.text} ${JSON.stringify(reading.values).slice(0, 500)}`, reading)
  }

  async #count(client: pg.Client): Promise<void> {
    const { rows } = (await this.#query.call(client, LOCKED)) as { rows: { locked: number }[] }
    this.mostInTransaction = Math.max(this.mostInTransaction, rows[0]?.locked ?? 0)
  }
}

/** How many partitions of plays and positions a statement locks when it is planned. */
export async function partitionsLockedBy(client: pg.Client, { text, values }: Reading): Promise<number> {
  await client.query('begin')
  try {
    await client.query(`explain ${text}`, values)
    const { rows } = await client.query<{ locked: number }>(LOCKED)
    return rows[0]?.locked ?? 0
  } finally {
    await client.query('rollback')
  }
}
