import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CompiledQuery, DefaultQueryExecutor, type RootOperationNode } from 'kysely'
import pg from 'pg'
import { connect } from '../../src/platform/db/connection.ts'

const sources = fileURLToPath(new URL('../../src/', import.meta.url))

export interface Recorded {
  /** The file below api/src that runs the statement, or the module whose call runs it through the platform. */
  owner: string
  text: string
  /** Missing where a COPY wraps the statement. */
  node?: RootOperationNode
}

const COPIES = /copy \(([\s\S]*?)\) to stdout with \(format csv\)/g

/** One statement has one text: uids and days that stand in it as literals differ from run to run. */
const normalized = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '…')
    .replace(/'\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|\+00)?)?'/g, "'…'")
    .replace(/\b(\w+?)_\d{8}\b/g, '$1_<day>')
    .trim()

/** The files of api/src that a statement comes from, nearest first. */
function callers(): string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const stack = new Error('Where am I?').stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  return [...stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+\.ts)/g)]
    .map(([, file = '']) => path.relative(sources, file).split(path.sep).join('/'))
    .filter((file) => !file.startsWith('..') && !/(?:^|\/)test-|\.test\.ts$/.test(file))
}

/** Every statement of a transaction passes here. */
const executor = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as DefaultQueryExecutor
/** Single statements go straight to the pool; this one is never used. */
const unused = connect('postgresql://127.0.0.1:1/unused')
const direct = Object.getPrototypeOf(unused.db.getExecutor()) as DefaultQueryExecutor
await unused.close()

/** Notes every statement that the product sends. Statements of tests have no caller in api/src. */
export class Recorder {
  readonly statements = new Map<string, Recorded>()
  /** The module that serves the call, where only the platform is on the stack. */
  module = ''
  // oxlint-disable-next-line typescript/unbound-method -- called with the executor that it was called on
  readonly #executeQuery = executor.executeQuery
  // oxlint-disable-next-line typescript/unbound-method
  readonly #executeDirectly = direct.executeQuery
  // oxlint-disable-next-line typescript/unbound-method
  readonly #stream = executor.stream
  // oxlint-disable-next-line typescript/unbound-method
  readonly #wireQuery = pg.Connection.prototype.query

  start(): void {
    const note = ({ sql, query }: { sql: string; query?: RootOperationNode }) => this.#note(sql, query)
    const [stream, wireQuery] = [this.#stream, this.#wireQuery]
    const noting = (execute: DefaultQueryExecutor['executeQuery']) =>
      function (this: DefaultQueryExecutor, query: CompiledQuery) {
        note(query)
        return execute.call(this, query)
      } as typeof execute
    executor.executeQuery = noting(this.#executeQuery)
    direct.executeQuery = noting(this.#executeDirectly)
    executor.stream = function (this: DefaultQueryExecutor, query: CompiledQuery, chunkSize: number) {
      note(query)
      return stream.call(this, query, chunkSize)
    } as typeof stream
    // A COPY is a stream that writes its statement to the connection itself.
    pg.Connection.prototype.query = function (this: pg.Connection, text: string) {
      for (const [, select = ''] of text.matchAll(COPIES)) note({ sql: select })
      return wireQuery.call(this, text)
    }
  }

  stop(): void {
    executor.executeQuery = this.#executeQuery
    direct.executeQuery = this.#executeDirectly
    executor.stream = this.#stream
    pg.Connection.prototype.query = this.#wireQuery
  }

  #note(text: string, node?: RootOperationNode): void {
    const files = callers()
    if (files.length === 0) return
    const key = normalized(text)
    if (this.statements.has(key)) return
    const owner = files.find((file) => !file.startsWith('platform/') && !/^(?:app|main)\.ts$/.test(file))
    this.statements.set(key, {
      owner: owner ?? (this.module || files.at(-1) || 'platform'),
      text,
      ...(node ? { node } : {}),
    })
  }
}
