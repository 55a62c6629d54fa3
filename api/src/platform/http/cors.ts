import { API_BASE } from '@roadshow/contract'
import type { App } from './app.ts'
import { routeOrPathname } from './request-path.ts'

const PREFLIGHT_SECONDS = 600

const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, cache-control, pragma, idempotency-key, range',
  'access-control-max-age': String(PREFLIGHT_SECONDS),
}

/**
 * Lets pages of the configured origins call the API. They send their token themselves, so cookies are never allowed.
 */
export function allowOrigins(app: App, origins: readonly string[]): void {
  if (origins.length === 0) return
  const named = new Set(origins)
  app.addHook('onRequest', (request, reply, next) => {
    if (!routeOrPathname(request).startsWith(`${API_BASE}/`)) return next()
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined || !named.has(origin)) return next()
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'content-disposition, retry-after',
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next()
    // The preflight is answered here; no route runs.
    reply.code(204).headers(allowed).send()
  })
}
