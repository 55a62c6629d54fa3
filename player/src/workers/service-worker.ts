/**
 * Starts the player without network. All files of one build are kept together, so a page never mixes two builds; a new
 * build is a new worker, which takes over once it holds everything.
 */

declare const self: ServiceWorkerGlobalScope

// The build writes the list in here.
const assets = 'ASSETS'.split(' ').filter((path) => path.startsWith('/'))
const page = new URL(self.registration.scope).pathname
const PREFIX = 'player-'

/** The name of the cache changes with the files. */
async function cacheName(): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(assets.join(' ')))
  return PREFIX + Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function install(): Promise<void> {
  const cache = await caches.open(await cacheName())
  await cache.addAll([page, ...assets].map((path) => new Request(path, { cache: 'no-cache' })))
  await self.skipWaiting()
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
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  const isPage = request.mode === 'navigate' && (pathname === page || pathname === `${page}/`)
  if (isPage) event.respondWith(answer(request, page))
  else if (assets.includes(pathname)) event.respondWith(answer(request, pathname))
})
