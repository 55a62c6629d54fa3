import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { type Bindings, type Logger, pino } from 'pino'
import { passingFailure } from '../runtime/passing-failure.ts'
import { type Trace, traceOf } from './trace.ts'

const PLAIN_ID = /^[\w.-]{8,64}$/
const PLAIN_NAME = /^[\w.[\]-]{1,40}$/

/** Gives each call an id for its lines in the log. An id that our own proxy assigned is kept. */
const idMaker =
  (isBehindProxy: boolean) =>
  ({ headers }: IncomingMessage): string => {
    const given = isBehindProxy ? headers['x-request-id'] : undefined
    return typeof given === 'string' && PLAIN_ID.test(given) ? given : randomUUID()
  }

/** The names of query parameters without their values, which include signatures, tokens and search words. */
function namesIn(query: string): string {
  const names = query.split('&').map((part) => part.slice(0, Math.max(0, part.indexOf('='))))
  return [...new Set(names.map((name) => (PLAIN_NAME.test(name) ? name : '…')))].join('&')
}

/** Formats a URL for the log without secrets. */
export function loggedUrl(url: string, redactPath: (path: string) => string): string {
  const at = url.search(/[?#]/)
  return at < 0 ? redactPath(url) : `${redactPath(url.slice(0, at))}?${namesIn(url.slice(at + 1))}`
}

/** Fields of an error that are logged beside its message. None holds values of rows, requests or headers. */
const FACTS = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine', 'errno', 'syscall', 'failure']

export function loggedError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const all = error as Error & Record<string, unknown>
  const facts = FACTS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]))
  return {
    type: error.name,
    message: error.message,
    // An absence is no defect: its stack leads nowhere.
    ...(passingFailure(error) !== 'away' && { stack: error.stack }),
    ...Object.fromEntries(facts),
    ...(error.cause !== undefined && depth < 3 && { cause: loggedError(error.cause, depth + 1) }),
  }
}

interface LogDetails {
  trace?: Trace | undefined
  /** The job that the event is of. */
  job?: string
  /** The level of a sentence; `info` unless given. */
  level?: 'info' | 'warn'
}

/** Logs what happens outside of calls: an error, under the trace of the work that failed, or a sentence. */
export type NodeLog = (event: unknown, details?: LogDetails) => void

/** While the database is away, one line says so (`reportHealth`): each failure that follows from it is for debugging. */
const FAILURE_LEVELS = { away: 'debug', busy: 'warn', full: 'warn' } as const

export const nodeLog =
  (logger: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>): NodeLog =>
  (event, { trace, job, level = 'info' } = {}) => {
    const about = { ...(job !== undefined && { job }), ...(trace && { traceId: trace.traceId }) }
    if (typeof event === 'string') return logger[level](about, event)
    const kind = event instanceof Error ? passingFailure(event) : undefined
    logger[kind ? FAILURE_LEVELS[kind] : 'error']({ ...about, err: event })
  }

export interface LogOptions {
  level: string
  /** Removes secrets from a path. */
  redactPath: (path: string) => string
  /** Where the lines go, unless to the standard output. */
  stream?: { write(line: string): void } | undefined
}

/** A log of one line of JSON for each event, without secrets. */
export function createLogger({ level, redactPath, stream }: LogOptions): Logger {
  const options = {
    level,
    serializers: {
      // Fastify itself logs requests and replies on rare failures.
      req: ({ method, url }: FastifyRequest) => ({ method, url: loggedUrl(url ?? '', redactPath) }),
      res: ({ statusCode }: FastifyReply) => ({ statusCode }),
      err: (error: unknown) => loggedError(error),
    },
  }
  return stream ? pino(options, stream) : pino(options)
}

/** The log of one call, whose lines name the call and its trace. It is opened by its first line: most calls write none. */
class CallLogger implements FastifyBaseLogger {
  #opened: FastifyBaseLogger | undefined

  constructor(
    private readonly parent: FastifyBaseLogger,
    private readonly bindings: Bindings,
    private readonly call: IncomingMessage,
  ) {}

  get #log(): FastifyBaseLogger {
    return (this.#opened ??= this.parent.child({ ...this.bindings, traceId: traceOf(this.call).traceId }))
  }

  get level() {
    return this.parent.level
  }

  child(bindings: Bindings): FastifyBaseLogger {
    return this.#log.child(bindings)
  }

  fatal(...line: unknown[]): void {
    this.#log.fatal(...(line as [string]))
  }

  error(...line: unknown[]): void {
    this.#log.error(...(line as [string]))
  }

  warn(...line: unknown[]): void {
    this.#log.warn(...(line as [string]))
  }

  info(...line: unknown[]): void {
    this.#log.info(...(line as [string]))
  }

  debug(...line: unknown[]): void {
    this.#log.debug(...(line as [string]))
  }

  trace(...line: unknown[]): void {
    this.#log.trace(...(line as [string]))
  }

  silent(...line: unknown[]): void {
    this.#log.silent(...(line as [string]))
  }
}

/** The options by which the server writes to a log. Calls have a line of their own, see `logCalls`. */
export const loggingTo = (logger: Logger, isBehindProxy: boolean) =>
  ({
    genReqId: idMaker(isBehindProxy),
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent: FastifyBaseLogger, bindings: Bindings, _options: object, call: IncomingMessage) =>
      new CallLogger(parent, bindings, call),
  }) satisfies Pick<FastifyServerOptions, 'genReqId' | 'loggerInstance' | 'logController' | 'childLoggerFactory'>
