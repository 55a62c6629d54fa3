import { API_BASE, auth } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import type { App } from '../../platform/http/app.ts'

export const loginsFailed = new Counter({
  name: 'roadshow_logins_failed_total',
  help: 'Logins that were refused: wrong (password or account) or throttled.',
  labelNames: ['reason'] as const,
  registers: [],
})

const rightPasswords = new WeakSet<FastifyRequest>()

/** A right password that a second factor has to follow is no failed login, although it answers 401. */
export const noteRightPassword = (request: FastifyRequest) => void rightPasswords.add(request)

const LOGIN = `${API_BASE}/${auth.authenticate.path}`
const refusalReason: Record<number, string> = { 401: 'wrong', 429: 'throttled' }

export function countFailedLogins(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const reason = request.routeOptions.url === LOGIN ? refusalReason[reply.statusCode] : undefined
    if (reason && !rightPasswords.has(request)) loginsFailed.inc({ reason })
    done()
  })
}
