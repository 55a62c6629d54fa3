import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerUid } from '../db/records/scope.ts'
import { loggedUrl } from '../observability/log.ts'
import { continueTrace, inTrace, type Trace } from '../observability/trace.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace that the call is part of: the caller's, or its own. */
    trace: Trace
    /** Why the call failed, for its line in the log. */
    failure: unknown
    isLogged: boolean
  }
}

interface CallLog {
  redactPath: (path: string) => string
  /** The percentage of successful calls that are logged. */
  samplePercent?: number | undefined
}

/** Proxies and monitors ask these every few seconds. */
export const HEALTH_CHECKS = ['/healthz', '/readyz', '/metrics']

// As HAProxy and nginx count calls whose client hung up.
const CLIENT_CLOSED = 499
const SLOW_MS = 1000

type Level = 'debug' | 'info' | 'warn' | 'error'

/** A 503 names its reason and passes by itself or by the operator's hand; any other 5xx is a defect of ours. */
function levelOf(route: string | undefined, status: number): Level {
  if (HEALTH_CHECKS.includes(route ?? '')) return 'debug'
  if (status < 500) return 'info'
  return status === 503 ? 'warn' : 'error'
}

/** Sends the id under which the log lists this call. */
export const sendRequestId = (request: FastifyRequest, reply: FastifyReply): void =>
  void reply.header('x-request-id', request.id)

/** Sends the id of each call, and continues the caller's trace: lines and requests that the call causes name it. */
export function traceCalls(app: App): void {
  app.decorateRequest('trace')
  app.addHook('onRequest', (request, reply, done) => {
    sendRequestId(request, reply)
    request.trace = continueTrace(request.headers['traceparent'])
    inTrace(request.trace, done)
  })
  // Reading a body leaves the context of the first hook.
  app.addHook('preHandler', (request, _reply, done) => inTrace(request.trace, done))
}

/** Writes one line for each call when it has ended. Failed and slow calls are always logged, successful ones by sample. */
export function logCalls(app: App, { redactPath, samplePercent = 100 }: CallLog): void {
  app.decorateRequest('failure', undefined)
  app.decorateRequest('isLogged', false)

  function log(request: FastifyRequest, status: number, ms: number): void {
    if (request.isLogged) return
    request.isLogged = true
    const isSampled = status < 400 && ms < SLOW_MS
    if (isSampled && samplePercent < 100 && Math.random() * 100 >= samplePercent) return
    const { method, url, ip, scope, failure } = request
    const route = request.routeOptions.url
    const line = {
      method,
      route: route ?? null,
      url: loggedUrl(url, redactPath),
      status,
      ms: Math.round(ms),
      traceId: request.trace.traceId,
      user: scope ? callerUid(scope.actor) : null,
      ip,
      ...(isSampled && samplePercent < 100 && { samplePercent }),
      ...(failure !== undefined && { err: failure }),
    }
    request.log[levelOf(route, status)](line, status === 500 ? 'internal error' : 'call')
  }

  app.addHook('onResponse', (request, reply, done) => {
    log(request, reply.statusCode, reply.elapsedTime)
    done()
  })
  // A client that hangs up gets no response, so that the hook above does not run.
  app.addHook('onRequest', (request, reply: FastifyReply, done) => {
    reply.raw.once('close', () =>
      log(request, reply.raw.writableFinished ? reply.statusCode : CLIENT_CLOSED, reply.elapsedTime),
    )
    done()
  })
}
