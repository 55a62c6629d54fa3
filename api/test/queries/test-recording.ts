import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const sources = fileURLToPath(new URL('../../src/', import.meta.url))

export interface Recorded {
  /** The file below api/src that runs the statement, or the module whose call runs it through the platform. */
  owner: string
  /** The statement as it was sent, for its plan. */
  text: string
  causes: Set<string>
}

const RECORDED = /^(?:\/\*.*?\*\/\s*)?(?:select|insert|update|delete|with|merge|copy)\b/i
const COPIES = /copy \(([\s\S]*?)\) to stdout with \(format csv\)/g

/** One statement has one text: uids and days that stand in it as literals differ from run to run. */
export const normalized = (text: string): string =>
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

/** Notes every statement that the product sends while `cause` is set. Statements of tests have no caller in api/src. */
export class Recorder {
  readonly statements = new Map<string, Recorded>()
  cause = ''
  /** The module that serves the call, where only the platform is on the stack. */
  module = ''
  // oxlint-disable-next-line typescript/unbound-method -- called with the client that it was called on
  readonly #query = pg.Client.prototype.query
  // oxlint-disable-next-line typescript/unbound-method
  readonly #wireQuery = pg.Connection.prototype.query

  start(): void {
    const note = (text: unknown) => this.#note(text)
    const [query, wireQuery] = [this.#query as (...args: unknown[]) => unknown, this.#wireQuery]
    pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...rest: unknown[]) {
      note(typeof first === 'string' ? first : (first as { text?: unknown }).text)
      return query.call(this, first, ...rest)
    } as pg.Client['query']
    // A COPY is a stream that writes its statement to the connection itself.
    pg.Connection.prototype.query = function (this: pg.Connection, text: string) {
      for (const [, select] of text.matchAll(COPIES)) note(select)
      return wireQuery.call(this, text)
    }
  }

  stop(): void {
    pg.Client.prototype.query = this.#query
    pg.Connection.prototype.query = this.#wireQuery
  }

  #note(text: unknown): void {
    if (!this.cause || typeof text !== 'string' || !RECORDED.test(text.trim())) return
    // A connection may be opened during any call.
    if (text.includes("set_config('TimeZone'")) return
    const files = callers()
    if (files.length === 0) return
    const key = normalized(text)
    const owner = files.find((file) => !file.startsWith('platform/') && !/^(?:app|main)\.ts$/.test(file))
    const known = this.statements.get(key)
    if (known) known.causes.add(this.cause)
    else
      this.statements.set(key, {
        owner: owner ?? (this.module || files.at(-1) || 'platform'),
        text,
        causes: new Set([this.cause]),
      })
  }
}
