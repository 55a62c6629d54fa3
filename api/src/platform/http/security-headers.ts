import { API_BASE, DRIVER_PATH, GPS_BRIDGE_URL, PLAYER_PATH } from '@roadshow/contract'
import type { App } from './app.ts'
import { routeOrPathname } from './request-path.ts'

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

/** What one page may do besides what all may. */
interface PageRights {
  connectTo?: string
  features?: readonly string[]
}

/** A truck's screen asks for its position: from the bridge beside it, or from the browser. */
const playerRights: PageRights = { connectTo: GPS_BRIDGE_URL, features: ['geolocation'] }
/** A driver's phone takes pictures and says where. Captions are dictated by the keyboard, which needs no right. */
const driverRights: PageRights = { features: ['camera', 'geolocation'] }
const PLAYER_PATHS = new RegExp(`^${PLAYER_PATH}(?:/|$)`)
const DRIVER_PATHS = new RegExp(`^${DRIVER_PATH}(?:/|$)`)

/** The origin of sockets: older browsers do not take 'self' for those of the same host. */
const socketOrigin = ({ publicUrl, isHttps }: Sources) =>
  new URL(publicUrl).origin.replace(/^https?/, isHttps ? 'wss' : 'ws')

const contentPolicy = (sources: Sources, { connectTo }: PageRights) =>
  Object.entries({
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'script-src-attr': ["'none'"],
    // Ant Design writes its styles into the page.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', sources.tileSource],
    'connect-src': ["'self'", socketOrigin(sources), sources.uploadOrigin, connectTo],
    // Users preview a video before they upload it.
    'media-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  })
    .map(([directive, sources]) => [directive, ...sources.filter(Boolean)].join(' '))
    .join('; ')

/** Browser features that no page uses unless it is named above. */
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

const headersOf = (sources: Sources, rights: PageRights) => ({
  'content-security-policy': contentPolicy(sources, rights),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': unused
    .map((feature) => `${feature}=${rights.features?.includes(feature) ? '(self)' : '()'}`)
    .join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(sources.isHttps && {
    'strict-transport-security': `max-age=${YEAR}; includeSubDomains`,
  }),
})

/** Sends security headers. They are built once, since they are the same for every answer of a kind. */
export function sendSecurityHeaders(app: App, sources: Sources): void {
  const headers = headersOf(sources, {})
  const ofPlayer = headersOf(sources, playerRights)
  const ofDriver = headersOf(sources, driverRights)
  const uncached = { ...headers, 'cache-control': 'no-store' }
  const unlisted = { ...uncached, 'x-robots-tag': 'noindex' }
  const ofCall = (path: string) =>
    sources.allowIndexing && path.startsWith(`${API_BASE}/public/`) ? uncached : unlisted
  app.addHook('onRequest', (request, reply, next) => {
    const path = routeOrPathname(request)
    if (path.startsWith(API_BASE)) reply.headers(ofCall(path))
    else if (PLAYER_PATHS.test(path)) reply.headers(ofPlayer)
    else reply.headers(DRIVER_PATHS.test(path) ? ofDriver : headers)
    next()
  })
}
