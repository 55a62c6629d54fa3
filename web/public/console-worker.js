// Shows notifications and opens what they are about, and takes the place of the browser's error page while the server is
// away. Every page still comes from the server; nothing of any user is kept here.

const ANSWER_MS = 500
const CACHE = 'offline-page'
const PAGE = '/offline.html'
const SCRIPT = '/offline.js'
// These have workers of their own, or are no pages of the console.
const ELSEWHERE = /^\/(?:api|driver|player)(?:\/|$)/

self.addEventListener('install', (event) => {
  self.skipWaiting()
  // Without the page, notifications still work.
  event.waitUntil(keepOfflinePage().catch(() => undefined))
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

async function keepOfflinePage() {
  const cache = await caches.open(CACHE)
  await cache.addAll([PAGE, SCRIPT].map((path) => new Request(path, { cache: 'no-cache' })))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname === SCRIPT) event.respondWith(fetch(request).catch(() => kept(SCRIPT)))
  else if (request.mode === 'navigate' && !ELSEWHERE.test(pathname)) event.respondWith(pageOrOffline(request))
})

async function pageOrOffline(request) {
  try {
    const answer = await fetch(request)
    // A proxy without a server behind it.
    return answer.status >= 502 && answer.status <= 504 ? await kept(PAGE) : answer
  } catch {
    return kept(PAGE)
  }
}

const kept = async (path) => (await caches.match(path)) ?? Response.error()

self.addEventListener('push', (event) => {
  const { title, body, path, tag, at } = event.data?.json() ?? {}
  const options = { body, tag, icon: '/notification.png', timestamp: Date.parse(at) || Date.now(), data: { path } }
  event.waitUntil(self.registration.showNotification(title || 'New notification', options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path))
})

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(swap(event)))

/**
 * Tells the server of the subscription that takes the place of an older one, so that notifications stay on. Without a session
 * they are off; a browser that keeps cookies from workers does it when the console is opened next.
 */
async function swap({ newSubscription }) {
  const { value: token } = (await self.cookieStore?.get('token')) ?? {}
  if (!token) return
  const calls = '/api/v1/push/browsers'
  const headers = { authorization: `Bearer ${decodeURIComponent(token)}`, 'content-type': 'application/json' }
  const { pushManager } = self.registration
  let made = newSubscription ?? (await pushManager.getSubscription())
  if (!made) {
    const answer = await fetch(calls, { headers })
    if (!answer.ok) return
    const { publicKey } = (await answer.json()).data
    made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  }
  const { endpoint, keys } = made.toJSON()
  const body = JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } })
  await fetch(calls, { method: 'POST', headers, body })
}

/** Opens a page of this site in a tab that is there already, or in a new one. */
async function open(path) {
  const { origin, href } = new URL(path ?? '/notifications', self.location.origin)
  if (origin !== self.location.origin) return undefined
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const tab of tabs) if (await takes(tab, href.slice(origin.length))) return tab.focus()
  return self.clients.openWindow(href)
}

/** Whether a tab shows the console and opens the page by itself, which keeps what was typed there. */
function takes(tab, path) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    setTimeout(() => resolve(false), ANSWER_MS)
    tab.postMessage({ open: path }, [port2])
  })
}
