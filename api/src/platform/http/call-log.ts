import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerUid } from '../db/records/scope.ts'
import { loggedUrl } from '../observability/log.ts'
import { traceOf } from '../observability/trace.ts'
import type { Logger } from 'pino'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the call failed, for its line in the log. */
    failure: unknown
    isLogged: boolean
    /** What has made the call, where it is no account. */
    sender: string | undefined
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

/**
 * Sends the id of each call, and writes one line when it has ended. Failed and slow calls are always logged, successful
 * ones by sample.
 */
export function logCalls(app: App, { redactPath, samplePercent = 100 }: CallLog): void {
  app.decorateRequest('failure', undefined)
  app.decorateRequest('isLogged', false)
  app.decorateRequest('sender', undefined)
  const isEnabled = (level: Level) => (app.log as Logger).isLevelEnabled(level)

  function log(request: FastifyRequest, status: number, ms: number): void {
    request.isLogged = true
    const isSampled = status < 400 && ms < SLOW_MS
    if (isSampled && samplePercent < 100 && Math.random() * 100 >= samplePercent) return
    const route = request.routeOptions.url
    const level = levelOf(route, status)
    if (!isEnabled(level)) return
    const { method, url, ip, scope, failure, sender } = request
    const line = {
      method,
      route: route ?? null,
      url: loggedUrl(url, redactPath),
      status,
      ms: Math.round(ms),
      reqId: request.id,
      traceId: traceOf(request.raw).traceId,
      user: scope ? callerUid(scope.actor) : null,
      ip,
      ...(sender !== undefined && { sender }),
      ...(isSampled && samplePercent < 100 && { samplePercent }),
      ...(failure !== undefined && { err: failure }),
    }
    app.log[level](line, status === 500 ? 'internal error' : 'call')
  }

  app.addHook('onResponse', (request, reply, done) => {
    log(request, reply.statusCode, reply.elapsedTime)
    done()
  })
  app.addHook('onRequest', (request, reply: FastifyReply, done) => {
    sendRequestId(request, reply)
    // A client that hangs up gets no response, so that the hook above does not run.
    reply.raw.once('close', () => {
      if (!request.isLogged)
        log(request, reply.raw.writableFinished ? reply.statusCode : CLIENT_CLOSED, reply.elapsedTime)
    })
    done()
  })
}
