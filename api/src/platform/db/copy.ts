import { Readable } from 'node:stream'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { copied, type Db, poolOf } from './connection.ts'

// Each row is one message; rows are passed on in chunks of this size.
const CHUNK = 65_536

interface Wire {
  stream: { pause(): void; resume(): void }
  query(text: string): void
}

/**
 * A COPY … TO STDOUT as a stream of bytes with backpressure. A reader that stops ends the statement with its connection.
 */
export class CopyOut extends Readable {
  readonly #text: string
  readonly #release: (isCut: boolean) => void
  #wire: Wire | undefined
  #chunk = Buffer.allocUnsafe(CHUNK)
  #filled = 0
  rows = 0

  constructor(text: string, release: (isCut: boolean) => void) {
    super({ highWaterMark: 4 * CHUNK })
    this.#text = text
    this.#release = release
  }

  submit(wire: Wire): void {
    this.#wire = wire
    wire.query(this.#text)
  }

  override _read(): void {
    this.#wire?.stream.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#wire?.stream.resume()
    this.#release(true)
    done(error)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.rows++
    if (this.#filled + chunk.length > CHUNK) this.#flush()
    // The parser reuses its buffer.
    if (chunk.length > CHUNK) return this.#hand(Buffer.from(chunk))
    chunk.copy(this.#chunk, this.#filled)
    this.#filled += chunk.length
  }

  #flush(): void {
    if (this.#filled === 0) return
    this.#hand(this.#chunk.subarray(0, this.#filled))
    this.#chunk = Buffer.allocUnsafe(CHUNK)
    this.#filled = 0
  }

  #hand(bytes: Buffer): void {
    if (!this.destroyed && !this.push(bytes)) this.#wire?.stream.pause()
  }

  handleCommandComplete(): void {
    this.#flush()
  }

  handleReadyForQuery(): void {
    // The next user of the connection needs its events.
    this.#wire?.stream.resume()
    this.#wire = undefined
    this.#release(false)
    this.push(null)
  }

  handleError(error: Error): void {
    this.destroy(error)
  }
}

/**
 * The rows of several selects as lines of CSV without a heading, all of one snapshot, and their number at the end. The
 * selects take no values: COPY has no parameters.
 */
export async function copyCsv(db: Db, selects: readonly string[]): Promise<CopyOut> {
  const pool = poolOf(db)
  const client = (await pool.connect()) as pg.PoolClient & { backendPid: number }
  let isReleased = false
  function release(isCut: boolean): void {
    if (isReleased) return
    isReleased = true
    client.release(isCut)
    // The server notices a closed connection only when it sends: while it still sorts, it is canceled.
    if (isCut) void pool.query('select pg_cancel_backend($1)', [client.backendPid]).catch(() => {})
  }
  // Going back to the savepoint gives up the locks on what was copied: years would be more than the server can hold.
  const copies = selects.map(
    (select) =>
      `savepoint part; copy (${select}) to stdout with (format csv); rollback to savepoint part; release savepoint part;`,
  )
  const text = `begin isolation level repeatable read read only; ${copies.join(' ')} commit`
  const copy = new CopyOut(text, release)
  client.query(copy as unknown as pg.Submittable)
  return copy
}

/** How COPY writes null. */
export const COPY_NULL = '\\N'

/**
 * Stores lines of tab-separated values: for many rows, twice as fast as any INSERT. It knows no conflicts: one existing
 * row makes it fail as a whole.
 */
export const copyInto = (db: Db, target: string, lines: string): Promise<unknown> =>
  db.executeQuery(CompiledQuery.raw(copied(`copy ${target} from stdin`), [lines]))
