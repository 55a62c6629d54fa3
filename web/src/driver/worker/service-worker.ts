/**
 * Starts the drivers' app without network. It keeps the files of one build together and nothing of any user: what a user
 * loaded is kept by the page, under the user's own name. A new build is a new worker, which waits until the page lets it
 * take over.
 */

declare const self: ServiceWorkerGlobalScope

// The build writes the list in here, and the version of the page.
const build = 'ASSETS'
const assets = build.split(' ').filter((path) => path.startsWith('/'))
const page = new URL(self.registration.scope).pathname.replace(/\/$/, '')
const beside = ['manifest.webmanifest', 'icon-192.png'].map((name) => `${page}/${name}`)
const PREFIX = 'driver-app-'

/** The name of the cache changes with the files. */
async function cacheName(): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(build))
  return PREFIX + Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function install(): Promise<void> {
  const cache = await caches.open(await cacheName())
  await cache.addAll([
    // Names of assets carry their hash: what the browser has already is the same.
    ...[page, ...beside].map((path) => new Request(path, { cache: 'no-cache' })),
    ...assets.map((path) => new Request(path)),
  ])
}

async function activate(): Promise<void> {
  const current = await cacheName()
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== current).map((name) => caches.delete(name)),
  )
  await self.clients.claim()
}

async function answer(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(await cacheName())
  return (await cache.match(path)) ?? fetch(request)
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('message', ({ data }) => {
  if (data === 'takeOver') void self.skipWaiting()
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  const isPage = request.mode === 'navigate' && (pathname === page || pathname.startsWith(`${page}/`))
  if (isPage) event.respondWith(answer(request, page))
  else if (assets.includes(pathname) || beside.includes(pathname)) event.respondWith(answer(request, pathname))
})
