import { API_BASE } from '@roadshow/contract'
import type { App } from './app.ts'

interface Sources {
  publicUrl: string
  /** Whether browsers come by HTTPS. */
  isHttps: boolean
  /** Whether search engines may list public data. */
  allowIndexing?: boolean | undefined
  /** Where the browser uploads to, when that is not this server. */
  uploadOrigin?: string | undefined
  /** Where map tiles come from. */
  tileSource?: string | undefined
}

/** The origin of sockets: older browsers do not take 'self' for those of the same host. */
const socketOrigin = ({ publicUrl, isHttps }: Sources) =>
  new URL(publicUrl).origin.replace(/^https?/, isHttps ? 'wss' : 'ws')

const contentPolicy = (sources: Sources) =>
  Object.entries({
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'script-src-attr': ["'none'"],
    // Ant Design writes its styles into the page.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', sources.tileSource],
    'connect-src': ["'self'", socketOrigin(sources), sources.uploadOrigin],
    // Users preview a video before they upload it.
    'media-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  })
    .map(([directive, sources]) => [directive, ...sources.filter(Boolean)].join(' '))
    .join('; ')

/** Browser features that no page uses. */
const unused = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'microphone',
  'payment',
  'usb',
]

/** Headers that rule pages. On a script, style or font they would only make each file larger. */
export const PAGE_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
] as const

const YEAR = 365 * 24 * 60 * 60

/** Sends security headers. They are built once, since they are the same for every answer. */
export function sendSecurityHeaders(app: App, sources: Sources): void {
  const headers = {
    'content-security-policy': contentPolicy(sources),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': unused.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(sources.isHttps && {
      'strict-transport-security': `max-age=${YEAR}; includeSubDomains`,
    }),
  }
  const uncached = { ...headers, 'cache-control': 'no-store' }
  const unlisted = { ...uncached, 'x-robots-tag': 'noindex' }
  const ofCall = (url: string) => (sources.allowIndexing && url.startsWith(`${API_BASE}/public/`) ? uncached : unlisted)
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(request.url.startsWith(API_BASE) ? ofCall(request.url) : headers)
    next()
  })
}
